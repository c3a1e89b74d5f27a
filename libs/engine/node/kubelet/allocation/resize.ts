import type { Container, ContainerStatus, Pod, PodCondition, ResourceRequirements } from '../../../api/core_v1.js';
import { compareQuantity } from '../../../machinery/quantity/quantity.js';
import { timestamp, type Millis } from '../../../machinery/time/time.js';

/** What can be resized in place. */
const RESIZABLE = ['cpu', 'memory'] as const;
type Resizable = (typeof RESIZABLE)[number];

const PARTS = ['limits', 'requests'] as const;

/** A running container whose resources are not those that its pod asks for. */
export const needsResize = ({ resources }: Container, status: ContainerStatus): boolean =>
  status.state?.running !== undefined && changedResources(status.resources, resources).length > 0;

/** Whether the container's resize policy wants a restart for what is to change. Models computePodResizeAction. */
export function requiresRestart({ resources, resizePolicy = [] }: Container, status: ContainerStatus): boolean {
  const changed: readonly string[] = changedResources(status.resources, resources);
  return resizePolicy.some((p) => p.restartPolicy === 'RestartContainer' && changed.includes(p.resourceName));
}

/** Whether the pod as a whole is to have others than its cgroup has. */
export const needsPodResize = ({ spec, status }: Pod): boolean =>
  status.resources !== undefined && changedResources(status.resources, spec.resources).length > 0;

/**
 * Whether a limit of the pod, which is to change, is that of a container without its own, whose policy wants a restart
 * for it.
 */
export function sharesChangedLimit({ resources, resizePolicy = [] }: Container, { spec, status }: Pod): boolean {
  const [was, next] = [status.resources?.limits ?? {}, spec.resources?.limits ?? {}];
  return resizePolicy.some(
    ({ restartPolicy, resourceName }) =>
      restartPolicy === 'RestartContainer' &&
      resources?.limits?.[resourceName] === undefined &&
      !isSame(was[resourceName], next[resourceName]),
  );
}

function changedResources(was: ResourceRequirements = {}, next: ResourceRequirements = {}): Resizable[] {
  return RESIZABLE.filter((name) => PARTS.some((part) => !isSame(was[part]?.[name], next[part]?.[name])));
}

const isSame = (a: string | undefined, b: string | undefined): boolean =>
  a === undefined || b === undefined ? a === b : compareQuantity(a, b) === 0;

/** The status of a container whose cgroup has the pod's resources now. */
export const resizedStatus = ({ resources }: Container, status: ContainerStatus): ContainerStatus => ({
  ...status,
  ...(resources?.requests ? { allocatedResources: resources.requests } : {}),
  resources: {
    ...(resources?.limits ? { limits: resources.limits } : {}),
    ...(resources?.requests ? { requests: resources.requests } : {}),
  },
});

/** The text of an event about a resize. Models pkg/kubelet/events/resize.go podResizeMessage. */
export function resizeMessage(prefix: string, { spec, metadata }: Pod, error?: string): string {
  const summary = (containers: readonly Container[]): object[] =>
    containers.map(({ name, resources: { claims, limits, requests } = {} }) => ({
      name,
      resources: { ...sorted('limits', limits), ...sorted('requests', requests), ...(claims ? { claims } : {}) },
    }));
  const text = JSON.stringify({
    ...(spec.initContainers?.length ? { initContainers: summary(spec.initContainers) } : {}),
    containers: summary(spec.containers),
    generation: metadata.generation ?? 0,
    ...(error ? { error } : {}),
  });
  return `${prefix}: ${text}`;
}

/** Go prints maps by their keys. */
const sorted = (part: string, quantities: Readonly<Record<string, string>> | undefined): object =>
  quantities ? { [part]: Object.fromEntries(Object.entries(quantities).sort(([a], [b]) => (a < b ? -1 : 1))) } : {};

export type ResizeConditionType = 'PodResizePending' | 'PodResizeInProgress';

export const findResizeCondition = ({ status }: Pod, type: ResizeConditionType): PodCondition | undefined =>
  status.conditions?.find((c) => c.type === type);

/** Models pkg/kubelet/status/status_manager.go updatedPodResizeCondition. An old one that says the same is kept. */
export function makeResizeCondition(
  pod: Pod,
  type: ResizeConditionType,
  { reason, message }: { readonly reason?: string; readonly message?: string },
  now: Millis,
): PodCondition {
  const old = findResizeCondition(pod, type);
  const { generation } = pod.metadata;
  if (old?.reason === reason && old?.message === message && old?.observedGeneration === generation && old) return old;
  return {
    lastProbeTime: timestamp(now),
    lastTransitionTime: old?.reason === reason && old ? old.lastTransitionTime : timestamp(now),
    ...(message ? { message } : {}),
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    ...(reason ? { reason } : {}),
    status: 'True',
    type,
  };
}
