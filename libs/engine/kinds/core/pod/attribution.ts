/**
 * The fields of a pod that its controller and its kubelet own: all but those that admission, defaulting and the binding
 * add.
 */
import type { Container, Pod, PodCondition, PodSpec, PodStatus, Toleration } from '../../../api/core_v1.js';
import type { Attribution } from '../../../machinery/kind.js';
import { NONE, type FieldSet } from '../../../machinery/managedfields/set.js';

const TOKEN_MOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
const TOKEN_VOLUME = 'kube-api-access-';
const DEFAULT_ACCOUNT = 'default';
const DEFAULT_TOLERATIONS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];
const DEFAULT_TOLERATION_SECONDS = 300;

const isTokenVolume = ({ name }: { name?: string }): boolean => name !== undefined && name.startsWith(TOKEN_VOLUME);
const isTokenMount = ({ name, mountPath }: { name?: string; mountPath?: string }): boolean =>
  mountPath === TOKEN_MOUNT && isTokenVolume({ name });
const isDefault = ({ key, operator, effect, value, tolerationSeconds }: Toleration, i: number): boolean =>
  key === DEFAULT_TOLERATIONS[i] &&
  operator === 'Exists' &&
  effect === 'NoExecute' &&
  value === undefined &&
  tolerationSeconds === DEFAULT_TOLERATION_SECONDS;
const areDefault = (tolerations: readonly Toleration[] | undefined): boolean =>
  tolerations?.length === DEFAULT_TOLERATIONS.length && tolerations.every(isDefault);

export const attribution: Attribution<Pod> = {
  owned: (pod, part) =>
    part === 'status'
      ? { of: { status: statusOf(pod.status) }, except: OF_BINDING }
      : { of: { metadata: metadataOf(pod), spec: specOf(pod.spec) } },
  holds(sent, stored) {
    const { labels, annotations, finalizers, ownerReferences } = sent.metadata;
    const now = stored.metadata;
    if (
      now.labels !== labels ||
      now.annotations !== annotations ||
      now.finalizers !== finalizers ||
      now.ownerReferences !== ownerReferences
    )
      return false;
    return isUnambiguous(sent.spec) && addsOnlyDefaults(sent.spec, stored.spec);
  },
  holdsForStatus: ({ status: { conditions } }, manager) =>
    manager === 'kubelet' && conditions?.length === 1 && conditions[0]?.type === 'PodScheduled',
};

// ---- the controller's fields ----

function metadataOf({
  metadata: { generateName, labels, annotations, ownerReferences, finalizers },
}: Pod): Partial<Pod['metadata']> {
  return {
    ...(generateName === undefined ? {} : { generateName }),
    ...(labels ? { labels } : {}),
    ...(annotations ? { annotations } : {}),
    ...(ownerReferences ? { ownerReferences } : {}),
    ...(finalizers ? { finalizers } : {}),
  };
}

function specOf({
  nodeName: _node,
  priority: _priority,
  preemptionPolicy: _policy,
  tolerations,
  serviceAccountName,
  serviceAccount,
  volumes,
  ...rest
}: PodSpec): Partial<PodSpec> {
  const spec: Partial<PodSpec> = { ...rest, containers: rest.containers.map(withoutToken) };
  if (rest.initContainers) spec.initContainers = rest.initContainers.map(withoutToken);
  if (tolerations && !areDefault(tolerations)) spec.tolerations = tolerations;
  if (serviceAccountName !== DEFAULT_ACCOUNT) Object.assign(spec, { serviceAccountName, serviceAccount });
  const own = volumes?.filter((v) => !isTokenVolume(v));
  if (own && (own.length > 0 || own.length === volumes?.length)) spec.volumes = own;
  return spec;
}

function withoutToken(container: Container): Container {
  const { volumeMounts, ...rest } = container;
  const own = volumeMounts?.filter((m) => !isTokenMount(m));
  return own && (own.length > 0 || own.length === volumeMounts?.length) ? { ...rest, volumeMounts: own } : rest;
}

/** Whether the spec that was sent has no field that admission fills. */
const isUnambiguous = ({
  priority,
  preemptionPolicy,
  nodeName,
  serviceAccountName,
  tolerations,
  volumes,
}: PodSpec): boolean =>
  priority === undefined &&
  preemptionPolicy === undefined &&
  !nodeName &&
  serviceAccountName !== DEFAULT_ACCOUNT &&
  !areDefault(tolerations) &&
  !volumes?.some(isTokenVolume);

const ADDED: ReadonlySet<string> = new Set([
  'priority',
  'preemptionPolicy',
  'serviceAccountName',
  'serviceAccount',
  'tolerations',
  'volumes',
  'containers',
  'initContainers',
]);

function addsOnlyDefaults(sent: PodSpec, stored: PodSpec): boolean {
  for (const field in stored)
    if (!ADDED.has(field) && sent[field as keyof PodSpec] !== stored[field as keyof PodSpec]) return false;
  if (sent.serviceAccountName && sent.serviceAccountName !== stored.serviceAccountName) return false;
  if (sent.tolerations?.length ? !stored.tolerations?.length : !areDefault(stored.tolerations)) return false;
  return (
    sameButLast(sent.volumes, stored.volumes, isTokenVolume) &&
    sameContainers(sent.containers, stored.containers) &&
    sameContainers(sent.initContainers, stored.initContainers)
  );
}

/** Whether the stored items are those that were sent, and at most one more that admission added. */
function sameButLast<T>(sent: readonly T[] = [], stored: readonly T[] = [], isAdded: (item: T) => boolean): boolean {
  const more = stored.length - sent.length;
  if (more !== 0 && !(more === 1 && isAdded(stored[sent.length]!))) return false;
  return sent.every((item, i) => item === stored[i]);
}

function sameContainers(sent: readonly Container[] = [], stored: readonly Container[] = []): boolean {
  return sent.length === stored.length && sent.every((c, i) => c === stored[i] || sameContainer(c, stored[i]!));
}

function sameContainer(sent: Container, stored: Container): boolean {
  for (const field in stored)
    if (field !== 'volumeMounts' && sent[field as keyof Container] !== stored[field as keyof Container]) return false;
  return sameButLast(sent.volumeMounts, stored.volumeMounts, isTokenMount);
}

// ---- the kubelet's fields ----

/** The API server sets the QoS class and the first phase, so the kubelet owns neither of them. */
function statusOf({ qosClass: _class, phase, ...rest }: PodStatus): Partial<PodStatus> {
  return phase === 'Pending' ? rest : { ...rest, phase };
}

type Leaf = keyof PodCondition;
const SCHEDULED: readonly Leaf[] = ['type', 'status', 'lastProbeTime', 'lastTransitionTime'];
/** The binding writes the list of conditions and its first item, and owns neither. */
const OF_BINDING: FieldSet = {
  'f:status': {
    'f:conditions': {
      '.': NONE,
      'k:{"type":"PodScheduled"}': { '.': NONE, ...Object.fromEntries(SCHEDULED.map((f) => [`f:${f}`, NONE])) },
    },
  },
};
