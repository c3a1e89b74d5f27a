import type { Deployment, DeploymentCondition, DeploymentStatus, ReplicaSet } from '../../api/apps_v1.js';
import { Deployments, ReplicaSets } from '../../kinds/index.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import { controllerOf, keyOf, type LabelSelector } from '../../machinery/meta/object.js';
import { ApiError } from '../../machinery/meta/status.js';
import type { Context } from '../../runtime/controller.js';
import { findCondition, setCondition } from '../conditions.js';
import { computeHash } from '../hash.js';
import { newControllerRef } from '../controller-ref-manager.js';
import { isNamespaceTerminating } from '../replicas.js';
import { deploymentCondition, hasDeadline, PROGRESSING } from './progress.js';
import {
  byAge,
  byRevision,
  DESIRED_REPLICAS,
  desiredReplicas,
  findNewReplicaSet,
  HASH_LABEL,
  MAX_REPLICAS,
  newReplicaSetAnnotations,
  replicasOf,
  REVISION,
  revisionOf,
  equalIgnoreHash,
} from './replicasets.js';
import { maxSurge, newReplicaSetSize } from './rolling.js';

/** One Deployment in one reconcile: what it is now, its ReplicaSets, and the writes that change them. */
export class Rollout {
  fresh: ReplicaSet | undefined;
  /** Oldest first. */
  old: readonly ReplicaSet[];

  constructor(
    readonly context: Context,
    public deployment: Deployment,
    sets: readonly ReplicaSet[],
  ) {
    this.fresh = findNewReplicaSet(deployment, sets);
    this.old = sets.filter((rs) => rs !== this.fresh).sort(byAge);
  }

  get all(): readonly ReplicaSet[] {
    return this.fresh ? [...this.old, this.fresh] : this.old;
  }

  /** Status and, as upstream's status update does, the revision annotation; nothing when neither changes. */
  saveStatus(status: DeploymentStatus, revision?: string): void {
    const { metadata } = this.deployment;
    const bumped = revision !== undefined && metadata.annotations?.[REVISION] !== revision;
    if (!bumped && deepEqual(status, this.deployment.status)) return;
    const next = bumped ? { ...metadata, annotations: { ...metadata.annotations, [REVISION]: revision } } : metadata;
    this.deployment = this.context.client.updateStatus(Deployments, { ...this.deployment, metadata: next, status });
  }

  /** Adds a condition if it says something new. */
  report(condition: DeploymentCondition, revision?: string): void {
    const { status } = this.deployment;
    this.saveStatus({ ...status, conditions: setCondition(status.conditions, condition) }, revision);
  }

  /**
   * Brings the new ReplicaSet's annotations and the Deployment's revision up to date. Models sync.go getNewReplicaSet.
   */
  syncRevision(): void {
    const { fresh, deployment } = this;
    if (!fresh) return;
    const annotations = newReplicaSetAnnotations(deployment, fresh.metadata.annotations, this.nextRevision());
    const minReadySeconds = deployment.spec.minReadySeconds ?? 0;
    if (
      !deepEqual(annotations, fresh.metadata.annotations ?? {}) ||
      minReadySeconds !== (fresh.spec.minReadySeconds ?? 0)
    ) {
      this.fresh = this.context.client.update(ReplicaSets, {
        ...fresh,
        metadata: { ...fresh.metadata, annotations },
        spec: { ...fresh.spec, ...(minReadySeconds ? { minReadySeconds } : { minReadySeconds: undefined }) },
      });
    }
    const revision = this.fresh!.metadata.annotations?.[REVISION];
    if (hasDeadline(deployment) && !findCondition(deployment.status.conditions, PROGRESSING)) {
      this.report(
        deploymentCondition(
          PROGRESSING,
          'True',
          'FoundNewReplicaSet',
          `Found new replica set "${fresh.metadata.name}"`,
          this.context.now,
        ),
        revision,
      );
    } else {
      this.saveStatus(deployment.status, revision);
    }
  }

  private nextRevision(): bigint {
    return this.old.reduce((highest, rs) => (revisionOf(rs) > highest ? revisionOf(rs) : highest), 0n) + 1n;
  }

  /** Makes the new ReplicaSet, as large as it may be at once. */
  createFresh(): void {
    const { context } = this;
    const draft = this.draft();
    const name = draft.metadata.name!;
    let created: ReplicaSet;
    try {
      created = context.client.create(ReplicaSets, draft);
    } catch (error) {
      if (!(error instanceof ApiError) || isNamespaceTerminating(error)) throw error;
      this.failed(name, error);
      return;
    }
    this.fresh = created;
    const size = replicasOf(created);
    if (size > 0)
      context.event(this.deployment, 'Normal', 'ScalingReplicaSet', `Scaled up replica set ${name} from 0 to ${size}`);
    const revision = created.metadata.annotations?.[REVISION];
    if (hasDeadline(this.deployment)) {
      this.report(
        deploymentCondition(
          PROGRESSING,
          'True',
          'NewReplicaSetCreated',
          `Created new replica set "${name}"`,
          context.now,
        ),
        revision,
      );
    } else {
      this.saveStatus(this.deployment.status, revision);
    }
  }

  private draft(): ReplicaSet {
    const { deployment } = this;
    const { template, selector, minReadySeconds } = deployment.spec;
    const hash = computeHash(template, deployment.status.collisionCount);
    const labels = { ...template.metadata?.labels, [HASH_LABEL]: hash };
    const size = newReplicaSetSize(deployment, this.old, 0);
    const { creationTimestamp: _, ...meta } = template.metadata ?? {};
    return {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        name: `${deployment.metadata.name}-${hash}`,
        namespace: deployment.metadata.namespace,
        labels,
        annotations: {
          ...newReplicaSetAnnotations(deployment, undefined, this.nextRevision()),
          ...this.sizeAnnotations(),
        },
        ownerReferences: [newControllerRef(Deployments, deployment)],
      },
      spec: {
        replicas: size,
        ...(minReadySeconds ? { minReadySeconds } : {}),
        selector: withHash(selector, hash),
        template: { ...template, metadata: { ...meta, labels } },
      },
      status: { replicas: 0 },
    };
  }

  private sizeAnnotations(): { [key: string]: string } {
    const desired = desiredReplicas(this.deployment);
    return { [DESIRED_REPLICAS]: String(desired), [MAX_REPLICAS]: String(desired + maxSurge(this.deployment)) };
  }

  /**
   * A name that is taken by another's ReplicaSet gets another hash; anything else is reported. Then it is tried again.
   */
  private failed(name: string, error: ApiError): never {
    const { context, deployment } = this;
    if (error.reason === 'AlreadyExists') {
      const existing = context.client.get(ReplicaSets, { namespace: deployment.metadata.namespace ?? '', name });
      const own =
        existing &&
        controllerOf(existing)?.uid === deployment.metadata.uid &&
        equalIgnoreHash(existing.spec.template, deployment.spec.template);
      if (!own) this.saveStatus({ ...deployment.status, collisionCount: (deployment.status.collisionCount ?? 0) + 1 });
      throw error;
    }
    const message = `Failed to create new replica set "${name}": ${error.message}`;
    if (hasDeadline(deployment))
      this.report(deploymentCondition(PROGRESSING, 'False', 'ReplicaSetCreateError', message, context.now));
    context.event(deployment, 'Warning', 'ReplicaSetCreateError', message);
    throw error;
  }

  /** Sizes one ReplicaSet; true when its size changed. Models sync.go scaleReplicaSet. */
  resize(rs: ReplicaSet, to: number): boolean {
    const { context } = this;
    const from = replicasOf(rs);
    const annotations = { ...rs.metadata.annotations, ...this.sizeAnnotations() };
    if (from === to && deepEqual(annotations, rs.metadata.annotations)) return false;
    const updated = context.client.update(ReplicaSets, {
      ...rs,
      metadata: { ...rs.metadata, annotations },
      spec: { ...rs.spec, replicas: to },
    });
    if (rs === this.fresh) this.fresh = updated;
    else this.old = this.old.map((other) => (other.metadata.uid === updated.metadata.uid ? updated : other));
    if (from === to) return false;
    context.event(
      this.deployment,
      'Normal',
      'ScalingReplicaSet',
      `Scaled ${to > from ? 'up' : 'down'} replica set ${rs.metadata.name} from ${from} to ${to}`,
    );
    return true;
  }

  /** Deletes old, empty ReplicaSets beyond the history limit. Models sync.go cleanupDeployment. */
  cleanUp(): void {
    const limit = this.deployment.spec.revisionHistoryLimit;
    if (limit === undefined || limit === NO_LIMIT) return;
    const cleanable = this.old.filter((rs) => rs.metadata.deletionTimestamp === undefined).sort(byRevision);
    for (const rs of cleanable.slice(0, Math.max(0, cleanable.length - limit))) {
      const busy =
        rs.status.replicas !== 0 ||
        replicasOf(rs) !== 0 ||
        (rs.metadata.generation ?? 0) > (rs.status.observedGeneration ?? 0);
      if (!busy) this.context.client.delete(ReplicaSets, keyOf(rs));
    }
  }
}

const NO_LIMIT = 2 ** 31 - 1;

const withHash = (selector: LabelSelector, hash: string): LabelSelector => ({
  ...selector,
  matchLabels: { ...selector.matchLabels, [HASH_LABEL]: hash },
});
