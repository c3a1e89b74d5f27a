import type { PodTemplateSpec } from '../../../../engine/api/core_v1.js';
import { listOf, resourceNamed } from '../discovery/targets.js';
import type { ApiObject, Session } from '../session/session.js';
import { controllerOf, describeAnnotations, describeLabels, type Details, longTime } from './parts/details.js';
import { describeEvents } from './parts/events.js';
import { describeTemplate } from './parts/pod-template.js';
import { formatSelector, selectorText } from './parts/selector.js';

interface Spec {
  readonly replicas?: number;
  readonly minReadySeconds?: number;
  readonly selector?: Parameters<typeof formatSelector>[0];
  readonly template: PodTemplateSpec;
  readonly strategy?: Strategy;
  readonly updateStrategy?: Strategy;
  readonly volumeClaimTemplates?: readonly ApiObject[];
}
interface Strategy {
  readonly type?: string;
  readonly rollingUpdate?: {
    readonly maxUnavailable?: unknown;
    readonly maxSurge?: unknown;
    readonly partition?: number;
  };
}
type Counts = Readonly<Record<string, number | undefined>>;
interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
}

const specOf = (object: ApiObject): Spec => object['spec'] as Spec;
const countsOf = (object: ApiObject): Counts => (object['status'] ?? {}) as Counts;

function describeConditions(details: Details, object: ApiObject): void {
  const conditions = (object['status'] as { conditions?: readonly Condition[] } | undefined)?.conditions ?? [];
  if (conditions.length === 0) return;
  details.line(0, 'Conditions:\n  Type\tStatus\tReason');
  details.line(1, '----\t------\t------');
  for (const { type, status, reason = '' } of conditions) details.line(1, `${type} \t${status}\t${reason}`);
}

export function describeDeployment(session: Session, details: Details, object: ApiObject): void {
  const { name = '', namespace = '', creationTimestamp, labels, annotations } = object.metadata ?? {};
  const spec = specOf(object);
  const counts = countsOf(object);
  details.field(0, 'Name', name);
  details.field(0, 'Namespace', namespace);
  details.field(0, 'CreationTimestamp', longTime(creationTimestamp));
  describeLabels(details, 'Labels', labels);
  describeAnnotations(details, 'Annotations', annotations);
  details.field(0, 'Selector', formatSelector(spec.selector ?? {}));
  const count = (field: string): number => counts[field] ?? 0;
  details.field(
    0,
    'Replicas',
    `${spec.replicas ?? 1} desired | ${count('updatedReplicas')} updated | ${count('replicas')} total | ${count('availableReplicas')} available | ${count('unavailableReplicas')} unavailable`,
  );
  details.field(0, 'StrategyType', spec.strategy?.type ?? '');
  details.field(0, 'MinReadySeconds', spec.minReadySeconds ?? 0);
  const update = spec.strategy?.rollingUpdate;
  if (update)
    details.field(
      0,
      'RollingUpdateStrategy',
      `${String(update.maxUnavailable)} max unavailable, ${String(update.maxSurge)} max surge`,
    );
  describeTemplate(details, spec.template);
  describeConditions(details, object);
  describeReplicaSets(session, details, object);
  describeEvents(session, details, object);
}

const REVISION = 'deployment.kubernetes.io/revision';

function describeReplicaSets(session: Session, details: Details, object: ApiObject): void {
  const query = `?labelSelector=${encodeURIComponent(selectorText(object) ?? '')}`;
  const all = listOf(session, resourceNamed(session, 'replicasets.apps'), object.metadata?.namespace ?? '', query);
  const own = all.filter((set) =>
    ((set.metadata?.['ownerReferences'] ?? []) as readonly { uid?: string }[]).some(
      ({ uid }) => uid === object.metadata?.uid,
    ),
  );
  const revision = object.metadata?.annotations?.[REVISION];
  const isNew = (set: ApiObject): boolean => set.metadata?.annotations?.[REVISION] === revision;
  const show = (sets: readonly ApiObject[]): string =>
    sets
      .map(
        (set) =>
          `${set.metadata?.name ?? ''} (${countsOf(set)['replicas'] ?? 0}/${specOf(set).replicas ?? 0} replicas created)`,
      )
      .join(', ') || '<none>';
  if (own.length === 0) return;
  details.field(0, 'OldReplicaSets', show(own.filter((set) => !isNew(set))));
  details.field(0, 'NewReplicaSet', show(own.filter(isNew)));
}

/** '2 Running / 0 Waiting / 0 Succeeded / 0 Failed'. */
function podsStatus(session: Session, object: ApiObject): string {
  const query = `?labelSelector=${encodeURIComponent(selectorText(object) ?? '')}`;
  const pods = listOf(session, resourceNamed(session, 'pods'), object.metadata?.namespace ?? '', query).filter((pod) =>
    ((pod.metadata?.['ownerReferences'] ?? []) as readonly { uid?: string }[]).some(
      ({ uid }) => uid === object.metadata?.uid,
    ),
  );
  const count = (phase: string): number =>
    pods.filter((pod) => (pod['status'] as { phase?: string } | undefined)?.phase === phase).length;
  return `${count('Running')} Running / ${count('Pending')} Waiting / ${count('Succeeded')} Succeeded / ${count('Failed')} Failed`;
}

export function describeReplicaSet(session: Session, details: Details, object: ApiObject): void {
  const { name = '', namespace = '', labels, annotations, ownerReferences } = object.metadata ?? {};
  const spec = specOf(object);
  details.field(0, 'Name', name);
  details.field(0, 'Namespace', namespace);
  details.field(0, 'Selector', selectorText(object) ?? '');
  describeLabels(details, 'Labels', labels);
  describeAnnotations(details, 'Annotations', annotations);
  const controller = controllerOf(ownerReferences);
  if (controller !== '') details.field(0, 'Controlled By', controller);
  details.field(0, 'Replicas', `${countsOf(object)['replicas'] ?? 0} current / ${spec.replicas ?? 0} desired`);
  details.field(0, 'Pods Status', podsStatus(session, object));
  describeTemplate(details, spec.template);
  describeConditions(details, object);
  describeEvents(session, details, object);
}

export function describeDaemonSet(session: Session, details: Details, object: ApiObject): void {
  const { name = '', namespace = '', labels, annotations } = object.metadata ?? {};
  const spec = specOf(object);
  const count = (field: string): number => countsOf(object)[field] ?? 0;
  details.field(0, 'Name', name);
  details.field(0, 'Namespace', namespace);
  details.field(0, 'Selector', formatSelector(spec.selector ?? {}));
  describeLabels(details, 'Node-Selector', (spec.template.spec?.nodeSelector ?? {}) as Record<string, string>);
  describeLabels(details, 'Labels', labels);
  describeAnnotations(details, 'Annotations', annotations);
  details.field(0, 'Desired Number of Nodes Scheduled', count('desiredNumberScheduled'));
  details.field(0, 'Current Number of Nodes Scheduled', count('currentNumberScheduled'));
  details.field(0, 'Number of Nodes Scheduled with Up-to-date Pods', count('updatedNumberScheduled'));
  details.field(0, 'Number of Nodes Scheduled with Available Pods', count('numberAvailable'));
  details.field(0, 'Number of Nodes Misscheduled', count('numberMisscheduled'));
  details.field(0, 'Pods Status', podsStatus(session, object));
  describeTemplate(details, spec.template);
  describeEvents(session, details, object);
}

export function describeStatefulSet(session: Session, details: Details, object: ApiObject): void {
  const { name = '', namespace = '', creationTimestamp, labels, annotations } = object.metadata ?? {};
  const spec = specOf(object);
  details.field(0, 'Name', name);
  details.field(0, 'Namespace', namespace);
  details.field(0, 'CreationTimestamp', longTime(creationTimestamp));
  details.field(0, 'Selector', formatSelector(spec.selector ?? {}));
  describeLabels(details, 'Labels', labels);
  describeAnnotations(details, 'Annotations', annotations);
  details.field(0, 'Replicas', `${spec.replicas ?? 1} desired | ${countsOf(object)['replicas'] ?? 0} total`);
  details.field(0, 'Update Strategy', spec.updateStrategy?.type ?? '');
  const partition = spec.updateStrategy?.rollingUpdate?.partition;
  if (partition !== undefined) details.field(1, 'Partition', partition);
  details.field(0, 'Pods Status', podsStatus(session, object));
  describeTemplate(details, spec.template);
  describeClaims(details, spec.volumeClaimTemplates ?? []);
  describeEvents(session, details, object);
}

function describeClaims(details: Details, claims: readonly ApiObject[]): void {
  if (claims.length === 0) return details.line(0, 'Volume Claims:\t<none>');
  details.line(0, 'Volume Claims:');
  for (const { metadata = {}, ...rest } of claims) {
    const spec = (rest['spec'] ?? {}) as {
      storageClassName?: string;
      accessModes?: readonly string[];
      resources?: { requests?: { storage?: string } };
    };
    details.field(1, 'Name', metadata.name ?? '');
    details.field(1, 'StorageClass', spec.storageClassName ?? '');
    describeLabels(details, 'Labels', metadata.labels, '  ');
    describeAnnotations(details, '  Annotations', metadata.annotations);
    details.field(1, 'Capacity', spec.resources?.requests?.storage ?? '<default>');
    details.field(1, 'Access Modes', `[${(spec.accessModes ?? []).join(' ')}]`);
  }
}
