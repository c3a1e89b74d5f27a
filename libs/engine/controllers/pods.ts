import type { Pod, PodTemplateSpec } from '../api/core_v1.js';
import { controllerOf, type Key, type KubeObject, type OwnerReference } from '../machinery/meta/object.js';
import { parseTimestamp, SECOND, type Millis } from '../machinery/time/time.js';
import { isPodReady, isPodTerminal, podReadyCondition } from '../kinds/core/pod/status/phase.js';

/** Neither finished nor being deleted. Models pkg/controller/controller_utils.go IsPodActive. */
export const isPodActive = (pod: Pod): boolean => !isPodTerminal(pod) && pod.metadata.deletionTimestamp === undefined;

/** Being deleted, and its containers have not all ended yet. Models IsPodTerminating. */
export const isPodTerminating = (pod: Pod): boolean =>
  !isPodTerminal(pod) && pod.metadata.deletionTimestamp !== undefined;

/** When the pod became ready; undefined while it is not. */
export function podReadyTime(pod: Pod): Millis | undefined {
  const ready = podReadyCondition(pod);
  return ready?.status === 'True'
    ? parseTimestamp(ready.lastTransitionTime ?? pod.metadata.creationTimestamp ?? '')
    : undefined;
}

/** When the pod has been ready for long enough; undefined while it is not ready. */
export function availableAt(pod: Pod, minReadySeconds: number): Millis | undefined {
  if (minReadySeconds === 0) return isPodReady(pod) ? 0 : undefined;
  const since = podReadyTime(pod);
  return since === undefined ? undefined : since + minReadySeconds * SECOND;
}

export function isPodAvailable(pod: Pod, minReadySeconds: number, now: Millis): boolean {
  const at = availableAt(pod, minReadySeconds);
  return at !== undefined && at <= now;
}

/** How long until the next ready pod counts as available; undefined when none is waiting. */
export function findMinNextPodAvailabilityCheck(
  pods: readonly Pod[],
  minReadySeconds: number,
  now: Millis,
): Millis | undefined {
  if (minReadySeconds === 0) return undefined;
  let next: Millis | undefined;
  for (const pod of pods) {
    const at = availableAt(pod, minReadySeconds);
    if (at !== undefined && at > now && (next === undefined || at < next)) next = at;
  }
  return next === undefined ? undefined : next - now;
}

/** A pod as its template says; the spec is shared with the template. Models controller_utils.go GetPodFromTemplate. */
export function getPodFromTemplate(template: PodTemplateSpec, owner: KubeObject, ownerRef: OwnerReference): Pod {
  const meta = template.metadata ?? {};
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: `${owner.metadata.name}-`,
      namespace: owner.metadata.namespace,
      ...(meta.labels ? { labels: { ...meta.labels } } : {}),
      ...(meta.annotations ? { annotations: { ...meta.annotations } } : {}),
      ...(meta.finalizers ? { finalizers: [...meta.finalizers] } : {}),
      ownerReferences: [ownerRef],
    },
    spec: template.spec!,
    status: {},
  };
}

/** Pods among dependents, controlled by this owner. */
export const controlledPods = (dependents: readonly KubeObject[], ownerUid: string): Pod[] =>
  dependents.filter((o): o is Pod => o.kind === 'Pod' && o.apiVersion === 'v1' && controllerOf(o)?.uid === ownerUid);

/** The pod that an object was made for; none when another kind's object controls it. */
export function controllingPod(object: KubeObject): readonly Key[] {
  const owner = controllerOf(object);
  return owner?.kind === 'Pod' ? [{ namespace: object.metadata.namespace ?? '', name: owner.name }] : [];
}
