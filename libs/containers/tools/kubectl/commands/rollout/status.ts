import type { Plain } from '../../../../../engine/kernel/process/program.js';
import { pathOf, type ServerResource } from '../../discovery/resources.js';
import { findObjects } from '../../discovery/targets.js';
import { FILES, SELECT } from '../../flags/groups.js';
import { KubectlFailure } from '../../session/failure.js';
import type { ApiObject } from '../../session/session.js';
import { task, type Task } from '../../session/task.js';
import type { Command, RunTask } from '../command.js';
import { durationMs } from '../duration.js';

const LOOK_EVERY = 1_000;
const FOR_EVER = 365 * 86_400_000;

export const status: Command = {
  flags: [...SELECT, ...FILES, 'w,watch', 'revision:', 'timeout:'],
  run(session) {
    const { flags } = session;
    if (session.args.length === 0 && !flags.has('filename'))
      throw new KubectlFailure('required resource not specified');
    const timeout = durationMs(flags.value('timeout') || '0');
    const until = session.now + (timeout > 0 ? timeout : FOR_EVER);
    return findObjects(session).map(({ resource, namespace, name }) => {
      const data = { resource, namespace, name, until, last: '' };
      return task('rollout status', data as unknown as Plain);
    });
  },
};

type Watched = {
  readonly resource: ServerResource;
  readonly namespace: string;
  readonly name: string;
  readonly until: number;
  /** What was said last: each change of it is told. */
  readonly last: string;
};

const look: RunTask = (session, data): Task[] => {
  const watched = data as unknown as Watched;
  const { resource, namespace, name } = watched;
  const object = session.get(pathOf(resource, namespace, name));
  const [message, isDone] = statusOf({ kind: resource.kind, ...object }, session.flags.value('revision'));
  const line = `${message}${JSON.stringify((object['status'] as object | undefined) ?? {})}`;
  if (line !== watched.last) session.out(message);
  if (isDone || session.flags.value('watch') === 'false') return [];
  if (session.now >= watched.until) throw new KubectlFailure('timed out waiting for the condition');
  return [task('rollout status', { ...watched, last: line } as unknown as Plain, LOOK_EVERY)];
};

export const tasks: Readonly<Record<string, RunTask>> = { 'rollout status': look };

type Counts = Readonly<Record<string, number | undefined>>;

/** Models k8s.io/kubectl/pkg/polymorphichelpers/rollout_status.go. */
function statusOf(object: ApiObject, revision: string): [message: string, isDone: boolean] {
  switch (object.kind) {
    case 'Deployment':
      return deploymentStatus(object, revision);
    case 'DaemonSet':
      return daemonSetStatus(object);
    case 'StatefulSet':
      return statefulSetStatus(object);
    default:
      throw new KubectlFailure(`no status viewer has been implemented for ${object.kind ?? ''}`);
  }
}

const partsOf = (object: ApiObject): { name: string; spec: Counts; state: Counts; generation: number } => ({
  name: object.metadata?.name ?? '',
  spec: (object['spec'] ?? {}) as Counts,
  state: (object['status'] ?? {}) as Counts,
  generation: object.metadata?.generation ?? 0,
});

function deploymentStatus(object: ApiObject, revision: string): [string, boolean] {
  const { name, spec, state, generation } = partsOf(object);
  const current = object.metadata?.annotations?.['deployment.kubernetes.io/revision'] ?? '0';
  if (revision !== '' && revision !== '0' && revision !== current)
    throw new KubectlFailure(`desired revision (${revision}) is different from the running revision (${current})`);
  const { updatedReplicas = 0, replicas = 0, availableReplicas = 0, observedGeneration = 0 } = state;
  if (generation > observedGeneration) return ['Waiting for deployment spec update to be observed...\n', false];
  const conditions =
    (object['status'] as { conditions?: readonly { type: string; reason?: string }[] }).conditions ?? [];
  if (conditions.find(({ type }) => type === 'Progressing')?.reason === 'ProgressDeadlineExceeded')
    throw new KubectlFailure(`deployment "${name}" exceeded its progress deadline`);
  const waiting = (what: string): [string, boolean] => [
    `Waiting for deployment "${name}" rollout to finish: ${what}...\n`,
    false,
  ];
  const wanted = spec['replicas'] ?? 1;
  if (updatedReplicas < wanted) return waiting(`${updatedReplicas} out of ${wanted} new replicas have been updated`);
  if (replicas > updatedReplicas) return waiting(`${replicas - updatedReplicas} old replicas are pending termination`);
  if (availableReplicas < updatedReplicas)
    return waiting(`${availableReplicas} of ${updatedReplicas} updated replicas are available`);
  return [`deployment "${name}" successfully rolled out\n`, true];
}

function daemonSetStatus(object: ApiObject): [string, boolean] {
  const { name, state, generation } = partsOf(object);
  const strategy = (object['spec'] as { updateStrategy?: { type?: string } }).updateStrategy?.type;
  if (strategy !== undefined && strategy !== 'RollingUpdate')
    throw new KubectlFailure('rollout status is only available for RollingUpdate strategy type');
  const { desiredNumberScheduled: wanted = 0, updatedNumberScheduled: updated = 0, numberAvailable = 0 } = state;
  if (generation > (state['observedGeneration'] ?? 0))
    return ['Waiting for daemon set spec update to be observed...\n', false];
  const waiting = (what: string): [string, boolean] => [
    `Waiting for daemon set "${name}" rollout to finish: ${what}...\n`,
    false,
  ];
  if (updated < wanted) return waiting(`${updated} out of ${wanted} new pods have been updated`);
  if (numberAvailable < wanted) return waiting(`${numberAvailable} of ${wanted} updated pods are available`);
  return [`daemon set "${name}" successfully rolled out\n`, true];
}

function statefulSetStatus(object: ApiObject): [string, boolean] {
  const { spec, state, generation } = partsOf(object);
  const strategy = (object['spec'] as { updateStrategy?: { type?: string; rollingUpdate?: { partition?: number } } })
    .updateStrategy;
  if (strategy?.type !== undefined && strategy.type !== 'RollingUpdate')
    throw new KubectlFailure('rollout status is only available for RollingUpdate strategy type');
  const { observedGeneration = 0, readyReplicas = 0, updatedReplicas = 0 } = state;
  if (observedGeneration === 0 || generation > observedGeneration)
    return ['Waiting for statefulset spec update to be observed...\n', false];
  const wanted = spec['replicas'] ?? 1;
  if (readyReplicas < wanted) return [`Waiting for ${wanted - readyReplicas} pods to be ready...\n`, false];
  const partition = strategy?.rollingUpdate?.partition ?? 0;
  const { updateRevision, currentRevision } = object['status'] as { updateRevision?: string; currentRevision?: string };
  if (partition > 0) {
    if (updatedReplicas < wanted - partition)
      return [
        `Waiting for partitioned roll out to finish: ${updatedReplicas} out of ${wanted - partition} new pods have been updated...\n`,
        false,
      ];
    return [`partitioned roll out complete: ${updatedReplicas} new pods have been updated...\n`, true];
  }
  if (updateRevision !== currentRevision)
    return [
      `waiting for statefulset rolling update to complete ${updatedReplicas} pods at revision ${updateRevision ?? ''}...\n`,
      false,
    ];
  const count = state['currentReplicas'] ?? 0;
  return [`statefulset rolling update complete ${count} pods at revision ${currentRevision ?? ''}...\n`, true];
}
