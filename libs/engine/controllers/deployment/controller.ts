import type { Deployment } from '../../api/apps_v1.js';
import { Deployments, Pods, ReplicaSets } from '../../kinds/index.js';
import type { Pod } from '../../api/core_v1.js';
import { controllerOf } from '../../machinery/meta/object.js';
import { defineController, watch, type Context, type Result } from '../../runtime/controller.js';
import { findCondition } from '../conditions.js';
import { orphanSource, claimObjects, orphanIndex } from '../controller-ref-manager.js';
import { isPodTerminal } from '../../kinds/core/pod/status/phase.js';
import { controlledPods } from '../pods.js';
import {
  calculateStatus,
  deploymentCondition,
  hasDeadline,
  hasTimedOut,
  isComplete,
  PROGRESSING,
  calculateRolloutStatus,
  timeUntilStuck,
} from './progress.js';
import { active, desiredReplicas, replicasOf } from './replicasets.js';
import {
  findActiveOrLatest,
  isRolling,
  isSaturated,
  isScalingEvent,
  newReplicaSetSize,
  scaleProportionally,
  scaleDownOldReplicaSets,
} from './rolling.js';
import { Rollout } from './rollout.js';

/**
 * Rolls Deployments out through ReplicaSets. Models pkg/controller/deployment. Left out: rollbackTo, which apps/v1 does
 * not have.
 */
export const controller = defineController({
  name: 'deployment',
  actor: 'system:serviceaccount:kube-system:deployment-controller',
  for: Deployments,
  owns: [ReplicaSets],
  watches: [
    orphanSource(ReplicaSets, Deployments),
    // Recreate waits for the last old pod to go.
    watch<Pod>({
      kind: Pods,
      // A deletion comes with the last state: nothing but metadata differs.
      when: (pod, old) => old !== undefined && old.spec === pod.spec && old.status === pod.status,
      *keys(pod, reader) {
        const namespace = pod.metadata.namespace ?? '';
        const owner = controllerOf(pod);
        if (owner?.kind !== 'ReplicaSet' || reader.get(Pods, { namespace, name: pod.metadata.name! })) return;
        const rs = reader.get(ReplicaSets, { namespace, name: owner.name });
        const deployment = rs && controllerOf(rs);
        if (deployment) yield { namespace, name: deployment.name };
      },
    }),
  ],
  indexes: [orphanIndex(ReplicaSets)],
  reconcile(context, key): Result | void {
    const deployment = context.client.get(Deployments, key);
    if (!deployment) return undefined;
    if (selectsEverything(deployment)) return refuseSelector(context, deployment);
    const rollout = new Rollout(
      context,
      deployment,
      claimObjects(context.client, ReplicaSets, Deployments, deployment, deployment.spec.selector),
    );
    if (deployment.metadata.deletionTimestamp !== undefined) {
      rollout.syncRevision();
      return syncStatus(rollout);
    }
    checkPausedConditions(rollout);
    rollout.syncRevision();
    if (rollout.deployment.spec.paused || isScalingEvent(rollout.deployment, rollout.all)) {
      scale(rollout);
      if (rollout.deployment.spec.paused) rollout.cleanUp();
      return syncStatus(rollout);
    }
    return isRolling(deployment) ? rolloutRolling(rollout) : rolloutRecreate(rollout);
  },
});

const selectsEverything = ({ spec: { selector } }: Deployment): boolean =>
  Object.keys(selector.matchLabels ?? {}).length === 0 && (selector.matchExpressions ?? []).length === 0;

function refuseSelector(context: Context, deployment: Deployment): void {
  if ((deployment.status.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0)) return;
  context.event(
    deployment,
    'Warning',
    'SelectingAll',
    'This deployment is selecting all pods. A non-empty selector is required.',
  );
  context.client.updateStatus(Deployments, {
    ...deployment,
    status: { ...deployment.status, observedGeneration: deployment.metadata.generation },
  });
}

/** A paused rollout's progress is unknown. Models sync.go checkPausedConditions. */
function checkPausedConditions(rollout: Rollout): void {
  const { deployment, context } = rollout;
  if (!hasDeadline(deployment) || hasTimedOut(deployment)) return;
  const wasPaused = findCondition(deployment.status.conditions, PROGRESSING)?.reason === 'DeploymentPaused';
  if (deployment.spec.paused && !wasPaused)
    rollout.report(
      deploymentCondition(PROGRESSING, 'Unknown', 'DeploymentPaused', 'Deployment is paused', context.now),
    );
  if (!deployment.spec.paused && wasPaused)
    rollout.report(
      deploymentCondition(PROGRESSING, 'Unknown', 'DeploymentResumed', 'Deployment is resumed', context.now),
    );
}

/** Models sync.go scale. */
function scale(rollout: Rollout): void {
  const { deployment, fresh, old } = rollout;
  const only = findActiveOrLatest(fresh, old);
  if (only) {
    if (replicasOf(only) !== desiredReplicas(deployment)) rollout.resize(only, desiredReplicas(deployment));
  } else if (isSaturated(deployment, fresh)) {
    for (const rs of active(old)) rollout.resize(rs, 0);
  } else if (isRolling(deployment)) {
    for (const { set, to } of scaleProportionally(deployment, rollout.all)) rollout.resize(set, to);
  }
}

/** Models rolling.go rolloutRolling. */
function rolloutRolling(rollout: Rollout): Result | void {
  if (!rollout.fresh) rollout.createFresh();
  const fresh = rollout.fresh!;
  const desired = desiredReplicas(rollout.deployment);
  const target =
    replicasOf(fresh) > desired ? desired : newReplicaSetSize(rollout.deployment, rollout.all, replicasOf(fresh));
  if (target !== replicasOf(fresh) && rollout.resize(fresh, target)) return syncRolloutStatus(rollout);
  const plan = scaleDownOldReplicaSets(rollout.deployment, active(rollout.old), fresh);
  for (const { set, to } of plan)
    rollout.resize(
      rollout.old.find((rs) => rs.metadata.uid === set.metadata.uid)!,
      to,
    );
  if (plan.length === 0 && isComplete(rollout.deployment, rollout.deployment.status)) rollout.cleanUp();
  return syncRolloutStatus(rollout);
}

/** Models recreate.go rolloutRecreate. */
function rolloutRecreate(rollout: Rollout): Result | void {
  const running = active(rollout.old);
  for (const rs of running) rollout.resize(rs, 0);
  if (running.length > 0 || hasOldPods(rollout)) return syncRolloutStatus(rollout);
  if (!rollout.fresh) rollout.createFresh();
  rollout.resize(rollout.fresh!, desiredReplicas(rollout.deployment));
  if (isComplete(rollout.deployment, rollout.deployment.status)) rollout.cleanUp();
  return syncRolloutStatus(rollout);
}

const hasOldPods = ({ old, context }: Rollout): boolean =>
  old.some(
    (rs) =>
      rs.status.replicas > 0 ||
      controlledPods(context.client.dependents(rs.metadata.uid!), rs.metadata.uid!).some((pod) => !isPodTerminal(pod)),
  );

function syncRolloutStatus(rollout: Rollout): Result | void {
  const { context } = rollout;
  const status = calculateRolloutStatus(rollout.deployment, rollout.all, rollout.fresh, context.now);
  const requeueAfter = timeUntilStuck(rollout.deployment, status, context.now);
  rollout.saveStatus(status);
  return requeueAfter === undefined ? undefined : { requeueAfter };
}

/** Status without a word on progress: paused, scaling or going away. */
function syncStatus(rollout: Rollout): void {
  const { context, deployment } = rollout;
  rollout.saveStatus(calculateStatus(deployment, rollout.all, rollout.fresh, context.now));
}
