import type { Container, ContainerStatus, Pod } from '../api/core_v1.js';
import type { Reader } from '../machinery/client.js';
import type { PodHttpAnswer, PodHttpRequest } from '../machinery/http.js';
import { parseTimestamp, type Millis } from '../machinery/time/time.js';
import type { ImageCatalog, Process } from './cri/image.js';
import { networkOf, processOf } from './kubelet/container/process.js';

export interface Running {
  readonly container: Container;
  readonly process: Process;
  readonly sinceStart: Millis;
}

/** Sends an HTTP request to a pod's port. What does not answer is told in the words of Go's dialer. */
export function dialPod(
  pod: Pod,
  request: PodHttpRequest,
  now: Millis,
  images: ImageCatalog,
  read: Reader,
): PodHttpAnswer | { readonly error: string } {
  const { podIP } = pod.status;
  if (!podIP) return { error: `dial tcp: address <nil>: no suitable address found` };
  for (const { process, sinceStart } of runningIn(pod, now, images, read)) {
    if (sinceStart < process.readyAfterMs || !process.listens.includes(request.port)) continue;
    return process.serve?.(request, sinceStart) ?? { status: 200 };
  }
  return { error: `dial tcp ${podIP}:${request.port}: connect: connection refused` };
}

export function* runningIn(pod: Pod, now: Millis, images: ImageCatalog, read: Reader): Generator<Running> {
  const { spec, status } = pod;
  const containers = [
    ...spec.containers,
    ...(spec.initContainers ?? []),
    ...((spec.ephemeralContainers ?? []) as Container[]),
  ];
  const statuses: readonly ContainerStatus[] = [
    ...(status.containerStatuses ?? []),
    ...(status.initContainerStatuses ?? []),
    ...(status.ephemeralContainerStatuses ?? []),
  ];
  for (const container of containers) {
    const found = statuses.find((s) => s.name === container.name);
    const startedAt = found?.state?.running?.startedAt;
    if (!found || !startedAt) continue;
    const at = parseTimestamp(startedAt);
    const run = { container, image: found.image, containerID: found.containerID ?? '', startedAt: at };
    const process = processOf(images, run, { pod, read }, networkOf(read, pod.metadata.namespace ?? ''));
    if (process) yield { container, process, sinceStart: now - at };
  }
}
