import { read } from '../../kube/client.js';
import { at, listAt, textAt, type KubeObject } from '../../kube/object.js';
import { pathOf } from '../../kube/resource.js';
import type { Place, Streams } from './places.js';

const DEFAULT_CONTAINER = 'kubectl.kubernetes.io/default-container';
const POLL_MS = 500;
/** How long a container that was just made may take to start: its image may have to come. */
const MAX_POLLS = 120;

/** Where a terminal leads, with the container's name, and what it takes. */
export interface Target {
  readonly place: Place;
  readonly streams: Streams;
}

const ALL: Streams = { stdin: true, tty: true };

/**
 * Of a pod that is named alone its first container, or the one that it says, as kubectl takes it; of a container that
 * is attached to also what it takes, once it runs. Never rejects: the service says what is wrong.
 */
export async function findTarget(clusterId: string, place: Place, isLeft: () => boolean): Promise<Target> {
  if (place.on === 'node' || (place.on === 'container' && place.container !== '')) return { place, streams: ALL };
  const path = pathOf({ apiVersion: 'v1', resource: 'pods', namespaced: true }, place.namespace, place.pod);
  try {
    for (let polls = 0; ; polls++) {
      const target = targetIn(await read({ clusterId }, path), place);
      if (place.on === 'container' || !target.isStarting || polls >= MAX_POLLS || isLeft()) return target;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  } catch {
    // Whoever may not read it may still enter it.
    return { place, streams: ALL };
  }
}

/** `isStarting`: its container has not run yet. */
export function targetIn(
  pod: KubeObject,
  place: Extract<Place, { on: 'container' | 'attach' }>,
): Target & { readonly isStarting: boolean } {
  const container =
    place.container || (pod.metadata.annotations?.[DEFAULT_CONTAINER] ?? textAt(pod, 'spec', 'containers', 0, 'name'));
  const find = (...lists: string[][]): unknown =>
    lists.flatMap((path) => listAt(pod, ...path)).find((one) => textAt(one, 'name') === container);
  const spec = find(['spec', 'containers'], ['spec', 'initContainers'], ['spec', 'ephemeralContainers']);
  const status = find(
    ['status', 'containerStatuses'],
    ['status', 'initContainerStatuses'],
    ['status', 'ephemeralContainerStatuses'],
  );
  const hasRun = ['running', 'terminated'].some((state) => at(status, 'state', state) !== undefined);
  return {
    place: { ...place, container },
    streams: place.on === 'attach' ? { stdin: at(spec, 'stdin') === true, tty: at(spec, 'tty') === true } : ALL,
    isStarting: spec !== undefined && !hasRun,
  };
}
