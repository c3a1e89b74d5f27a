import type { Container, Pod } from '../api/core_v1.js';
import { isOff } from '../kinds/terrarium/noderuntime/kind.js';
import type { Reader } from '../machinery/client.js';
import type { PodHttpAnswer, PodHttpRequest } from '../machinery/requests/http.js';
import { parseTimestamp, type Millis } from '../machinery/time/time.js';
import type { ImageCatalog, Process } from './cri/image.js';
import type { Machines } from './cri/machines.js';
import { runtimeStatuses } from './cri/records/course.js';
import { readPodRuntime } from './kubelet/pod/pod-runtime.js';
import { isListening } from './kubelet/prober/prober.js';
import { networkOf, processOf } from './kubelet/container/process.js';
import { withProcessFaults } from './kubelet/container/process-faults.js';

/** A container that runs now. */
export interface RunningContainer {
  readonly container: Container;
  readonly process: Process;
  readonly sinceStart: Millis;
}

/**
 * Asks a pod's port for its answer to an HTTP request, which leaves no trace there; `error` is in the words of Go's
 * dialer when nothing listens there.
 */
export function dialPod(
  pod: Pod,
  request: PodHttpRequest,
  now: Millis,
  images: ImageCatalog,
  read: Reader,
  machines?: Machines,
): PodHttpAnswer | { readonly error: string } {
  const { podIP } = pod.status;
  if (!podIP) return { error: `dial tcp: address <nil>: no suitable address found` };
  if (isOff(read, pod.spec.nodeName ?? ''))
    return { error: `dial tcp ${podIP}:${request.port}: connect: no route to host` };
  for (const { process, sinceStart } of runningContainers(pod, now, images, read, machines)) {
    if (!isListening(process, request.port, sinceStart)) continue;
    if (process.latencyMs?.(sinceStart) === Infinity)
      return { error: `dial tcp ${podIP}:${request.port}: i/o timeout` };
    return process.serve?.(request, sinceStart, read) ?? { status: 200 };
  }
  return { error: `dial tcp ${podIP}:${request.port}: connect: connection refused` };
}

/** The pod's containers that run, those of its own first, then init and ephemeral containers. */
export function* runningContainers(
  pod: Pod,
  now: Millis,
  images: ImageCatalog,
  read: Reader,
  machines?: Machines,
): Generator<RunningContainer> {
  const { spec } = pod;
  const containers = [
    ...spec.containers,
    ...(spec.initContainers ?? []),
    ...((spec.ephemeralContainers ?? []) as Container[]),
  ];
  // A server listens while its postStart hook runs, of which the API server hears nothing yet.
  const statuses = runtimeStatuses(pod, readPodRuntime(read, pod)?.containers);
  const network = networkOf(read, pod.metadata.namespace ?? '');
  for (const container of containers) {
    const found = statuses.get(container.name);
    if (!found?.state?.running?.startedAt) continue;
    const startedAt = parseTimestamp(found.state.running.startedAt);
    const run = { container, image: found.image, containerID: found.containerID ?? '', startedAt };
    const process = machines
      ? machines.processOf(machines.viewOf(pod), run, { pod, read }, network, now)
      : processOf(images, run, { pod, read }, network);
    if (process)
      yield {
        container,
        process: withProcessFaults(read, pod, container, process, startedAt),
        sinceStart: now - startedAt,
      };
  }
}
