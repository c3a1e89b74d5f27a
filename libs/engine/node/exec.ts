import type { Pod } from '../api/core_v1.js';
import { Endpoints, Pods, Services } from '../kinds/index.js';
import type { Reader } from '../machinery/client.js';
import type { CommandResult, PodHttpAnswer, PodHttpRequest } from '../machinery/http.js';
import type { Millis } from '../machinery/time/time.js';
import type { ImageCatalog } from './cri/image.js';
import { dialPod, runningIn } from './dial.js';
import { serviceKey } from './kubelet/container/process.js';

/**
 * `kubectl exec`: a command in a running container, run anew on each input; undefined when the container does not run.
 */
export function execIn(
  pod: Pod,
  container: string,
  command: readonly string[],
  now: Millis,
  images: ImageCatalog,
  read: Reader,
): ((stdin: string) => CommandResult) | undefined {
  const found = [...runningIn(pod, now, images, read)].find((r) => r.container.name === container);
  if (!found) return undefined;
  const { process, sinceStart } = found;
  const fetch = (host: string, request: PodHttpRequest): PodHttpAnswer | undefined =>
    fetchIn(pod, host, request, now, images, read);
  return (stdin) => process.run?.(command, { stdin, sinceStart, fetch }) ?? { output: '', code: 0, ended: false };
}

/** An HTTP request from inside a pod: to itself, to another pod's address, or through a Service to a ready pod. */
function fetchIn(
  from: Pod,
  host: string,
  request: PodHttpRequest,
  now: Millis,
  images: ImageCatalog,
  read: Reader,
): PodHttpAnswer | undefined {
  const target = targetOf(from, host, request.port, now, read);
  if (!target) return undefined;
  const answer = dialPod(target.pod, { ...request, port: target.port }, now, images, read);
  return 'error' in answer ? undefined : answer;
}

interface Target {
  readonly pod: Pod;
  readonly port: number;
}

function targetOf(from: Pod, host: string, port: number, now: Millis, read: Reader): Target | undefined {
  if (host === 'localhost' || host === '127.0.0.1') return { pod: from, port };
  const namespace = from.metadata.namespace ?? '';
  const isAddress = /^[\d.]+$/.test(host);
  const direct = isAddress ? read.list(Pods).find((p) => p.status.podIP === host && !p.spec.hostNetwork) : undefined;
  if (direct) return { pod: direct, port };
  const key = serviceKey(host, namespace);
  const service = isAddress
    ? read.list(Services).find((s) => s.spec.clusterIP === host)
    : key && read.get(Services, key);
  if (!service) return undefined;
  const own = { namespace: service.metadata.namespace ?? '', name: service.metadata.name ?? '' };
  const headless = service.spec.clusterIP === 'None';
  const wanted = service.spec.ports?.find((p) => p.port === port);
  for (const { addresses = [], ports = [] } of read.get(Endpoints, own)?.subsets ?? []) {
    const found = headless ? { port } : wanted && ports.find((p) => (p.name ?? '') === (wanted.name ?? ''));
    const address = addresses[now % Math.max(1, addresses.length)];
    const pod =
      address?.targetRef?.kind === 'Pod'
        ? read.get(Pods, { namespace: own.namespace, name: address.targetRef.name ?? '' })
        : undefined;
    if (found && pod) return { pod, port: found.port };
  }
  return undefined;
}
