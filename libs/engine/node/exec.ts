import type { Pod, Service } from '../api/core_v1.js';
import { Endpoints, Pods, Services } from '../kinds/index.js';
import type { Reader } from '../machinery/client.js';
import type { CommandResult, PodHttpAnswer, PodHttpRequest } from '../machinery/http.js';
import type { Millis } from '../machinery/time/time.js';
import type { ImageCatalog } from './cri/image.js';
import { dialPod, runningContainers } from './dial.js';
import { serviceKey } from './kubelet/container/process.js';

/** The exit code of a command that is not there. */
const NOT_FOUND = 127;

/** `kubectl exec`: a command in a container, run anew on each input; undefined when the container does not run. */
export function execIn(
  pod: Pod,
  container: string,
  command: readonly string[],
  now: Millis,
  images: ImageCatalog,
  read: Reader,
): ((stdin: string) => CommandResult) | undefined {
  const running = [...runningContainers(pod, now, images, read)].find((r) => r.container.name === container);
  if (!running) return undefined;
  const { process, sinceStart } = running;
  const fetch = (host: string, request: PodHttpRequest): PodHttpAnswer | undefined =>
    fetchFrom(pod, host, request, now, images, read);
  return (stdin) => process.run?.(command, { stdin, sinceStart, fetch }) ?? refuseCommand(command);
}

/** What runc says of an image without files, which no command can be in. */
const refuseCommand = ([name]: readonly string[]): CommandResult => ({
  output: `exec: ${JSON.stringify(name)}: executable file not found in $PATH\n`,
  code: NOT_FOUND,
  ended: true,
});

/**
 * Sends an HTTP request from inside a pod: to itself, to another pod's address, or through a Service to a ready pod.
 */
function fetchFrom(
  from: Pod,
  host: string,
  request: PodHttpRequest,
  now: Millis,
  images: ImageCatalog,
  read: Reader,
): PodHttpAnswer | undefined {
  const target = findTarget(from, host, request.port, now, read);
  if (!target) return undefined;
  const answer = dialPod(target.pod, { ...request, port: target.port }, now, images, read);
  return 'error' in answer ? undefined : answer;
}

interface Target {
  readonly pod: Pod;
  readonly port: number;
}

/** The pod and port that a host and port lead to; undefined for hosts that are not simulated. */
function findTarget(from: Pod, host: string, port: number, now: Millis, read: Reader): Target | undefined {
  if (host === 'localhost' || host === '127.0.0.1') return { pod: from, port };
  const isAddress = /^[\d.]+$/.test(host);
  const direct = isAddress ? read.list(Pods).find((p) => p.status.podIP === host && !p.spec.hostNetwork) : undefined;
  if (direct) return { pod: direct, port };
  const key = serviceKey(host, from.metadata.namespace ?? '');
  const service = isAddress
    ? read.list(Services).find((s) => s.spec.clusterIP === host)
    : key && read.get(Services, key);
  return service && findBackend(service, port, now, read);
}

/** A ready pod behind a Service's port; which one of several changes with the time. */
function findBackend({ metadata, spec }: Service, port: number, now: Millis, read: Reader): Target | undefined {
  const { namespace = '', name = '' } = metadata;
  const isHeadless = spec.clusterIP === 'None';
  const servicePort = spec.ports?.find((p) => p.port === port);
  for (const { addresses = [], ports = [] } of read.get(Endpoints, { namespace, name })?.subsets ?? []) {
    const target = isHeadless
      ? { port }
      : servicePort && ports.find((p) => (p.name ?? '') === (servicePort.name ?? ''));
    const { targetRef } = addresses[now % Math.max(1, addresses.length)] ?? {};
    const pod = targetRef?.kind === 'Pod' ? read.get(Pods, { namespace, name: targetRef.name ?? '' }) : undefined;
    if (target && pod) return { pod, port: target.port };
  }
  return undefined;
}
