import type { Row } from '../../../kube/row.js';
import { at, type KubeObject } from '../../../kube/object.js';
import { pathOf, type Resource } from '../../../kube/resource.js';
import { MERGE_PATCH, STRATEGIC_PATCH, FIELD_MANAGER } from '../../../kube/client.js';

export type ActionName =
  | 'delete'
  | 'scale'
  | 'restart'
  | 'undo'
  | 'pauseRollout'
  | 'resumeRollout'
  | 'trigger'
  | 'suspend'
  | 'resume'
  | 'cordon'
  | 'uncordon'
  | 'drain'
  | 'evict'
  | 'logs'
  | 'terminal'
  | 'attach'
  | 'debug'
  | 'started';

/** A write to the API server. */
export interface Write {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly type?: string;
}

const RESTARTED = new Set(['deployments', 'daemonsets', 'statefulsets']);
const LOGGED = new Set([...RESTARTED, 'replicasets']);
const POD_ACTIONS: readonly ActionName[] = ['logs', 'terminal', 'attach', 'debug', 'started'];

/** Of these two the object itself says which one can be done. */
const TURNS: readonly (readonly [on: ActionName, off: ActionName, field: string])[] = [
  ['cordon', 'uncordon', 'unschedulable'],
  ['suspend', 'resume', 'suspend'],
  ['pauseRollout', 'resumeRollout', 'paused'],
];

/**
 * What can be done with objects of a resource, in the order of a menu; with one that is known, only what makes a
 * difference to it.
 */
export function actionsOf(resource: Resource, object?: KubeObject): ActionName[] {
  const all = actionsOfKind(resource);
  if (!object) return all;
  const idle = TURNS.map(([on, off, field]) => (at(object, 'spec', field) === true ? on : off));
  return all.filter((action) => !idle.includes(action));
}

function actionsOfKind({ group, resource: plural, verbs, subresources }: Resource): ActionName[] {
  const isCore = group === '';
  return [
    ...(isCore && plural === 'pods' ? POD_ACTIONS : []),
    ...(isCore && plural === 'nodes' ? (['terminal', 'cordon', 'uncordon', 'drain'] as const) : []),
    ...((group === 'apps' && LOGGED.has(plural)) || (group === 'batch' && plural === 'jobs')
      ? (['logs'] as const)
      : []),
    ...(group === 'batch' && plural === 'cronjobs' ? (['trigger', 'suspend', 'resume'] as const) : []),
    ...(subresources.includes('scale') ? (['scale'] as const) : []),
    ...(group === 'apps' && RESTARTED.has(plural) ? (['restart'] as const) : []),
    ...(group === 'apps' && RESTARTED.has(plural) ? (['undo'] as const) : []),
    ...(group === 'apps' && plural === 'deployments' ? (['pauseRollout', 'resumeRollout'] as const) : []),
    ...(isCore && subresources.includes('eviction') ? (['evict'] as const) : []),
    ...(verbs.includes('delete') ? (['delete'] as const) : []),
  ];
}

type Target = Pick<Row, 'namespace' | 'name'>;
const MANAGER = `?fieldManager=${FIELD_MANAGER}`;

/** As `kubectl delete`: what is owned goes in the background. */
export const deleteWrite = (resource: Resource, { namespace, name }: Target): Write => ({
  method: 'DELETE',
  path: pathOf(resource, namespace, name),
  body: { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' },
});

export const scaleWrite = (resource: Resource, { namespace, name }: Target, replicas: number): Write => ({
  method: 'PATCH',
  path: `${pathOf(resource, namespace, name)}/scale${MANAGER}`,
  body: { spec: { replicas } },
  type: MERGE_PATCH,
});

/** As `kubectl rollout restart`. `at`: RFC 3339. */
export const restartWrite = (resource: Resource, { namespace, name }: Target, at: string): Write => ({
  method: 'PATCH',
  path: `${pathOf(resource, namespace, name)}?fieldManager=kubectl-rollout`,
  body: { spec: { template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': at } } } } },
  type: STRATEGIC_PATCH,
});

export const cordonWrite = (resource: Resource, { name }: Target, unschedulable: boolean): Write => ({
  method: 'PATCH',
  path: `${pathOf(resource, '', name)}${MANAGER}`,
  body: { spec: { unschedulable: unschedulable || null } },
  type: STRATEGIC_PATCH,
});

export const suspendWrite = (resource: Resource, { namespace, name }: Target, suspend: boolean): Write => ({
  method: 'PATCH',
  path: `${pathOf(resource, namespace, name)}${MANAGER}`,
  body: { spec: { suspend } },
  type: STRATEGIC_PATCH,
});

/** As `kubectl rollout pause` and `resume`. */
export const pauseWrite = (resource: Resource, { namespace, name }: Target, paused: boolean): Write => ({
  method: 'PATCH',
  path: `${pathOf(resource, namespace, name)}?fieldManager=kubectl-rollout`,
  body: { spec: { paused } },
  type: STRATEGIC_PATCH,
});

export interface DrainPod {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly { readonly kind: string; readonly controller?: boolean }[];
  };
  readonly spec?: { readonly volumes?: readonly object[] };
  readonly status?: { readonly phase?: string };
}

export interface DrainPlan {
  readonly evict: readonly DrainPod[];
  /** Pods that `kubectl drain` would not delete without a flag, and which one. */
  readonly refused: readonly { readonly pod: DrainPod; readonly flag: '--force' | '--delete-emptydir-data' }[];
}

/** What `kubectl drain --ignore-daemonsets` does with the pods of a node. Models kubectl/pkg/drain/filters.go. */
export function planDrain(pods: readonly DrainPod[]): DrainPlan {
  const evict: DrainPod[] = [];
  const refused: { pod: DrainPod; flag: '--force' | '--delete-emptydir-data' }[] = [];
  for (const pod of pods) {
    const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller);
    const isMirror = pod.metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined;
    if (isMirror || owner?.kind === 'DaemonSet') continue;
    const isOver = ['Succeeded', 'Failed'].includes(pod.status?.phase ?? '');
    const hasScratch = pod.spec?.volumes?.some((volume) => 'emptyDir' in volume) ?? false;
    if (!owner && !isOver) refused.push({ pod, flag: '--force' });
    else if (hasScratch && !isOver) refused.push({ pod, flag: '--delete-emptydir-data' });
    else evict.push(pod);
  }
  return { evict, refused };
}

export const evictWrite = ({ metadata: { namespace, name } }: DrainPod): Write => ({
  method: 'POST',
  path: `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}/eviction`,
  body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } },
});
