import type { Container, Pod } from '../api/core_v1.js';
import type { Client, Reader } from '../machinery/client.js';
import type { PodHttpAnswer, PodHttpRequest } from '../machinery/http.js';
import { hash32 } from '../machinery/random.js';
import { parseTimestamp, type Millis } from '../machinery/time/time.js';
import type { ImageCatalog, Process } from './cri/image.js';
import type { Machines } from './cri/machines.js';
import { isListening } from './kubelet/prober/prober.js';
import { networkOf, processOf } from './kubelet/container/process.js';

/** A container that runs now. */
export interface RunningContainer {
  readonly container: Container;
  readonly process: Process;
  readonly sinceStart: Millis;
}

/** Sends an HTTP request to a pod's port; `error` is in the words of Go's dialer when nothing listens there. */
export function dialPod(
  pod: Pod,
  request: PodHttpRequest,
  now: Millis,
  images: ImageCatalog,
  read: Reader,
  machines?: Machines,
): PodHttpAnswer | { readonly error: string } {
  const passed = machines && passOn({ pod, request }, now, images, read, machines);
  if (!passed) return dialServer(pod, request, now, images, read, machines);
  return passed.to
    ? passed.finish(dialServer(passed.to.pod, passed.to.request, now, images, read, machines))
    : passed.answer;
}

function dialServer(
  pod: Pod,
  request: PodHttpRequest,
  now: Millis,
  images: ImageCatalog,
  read: Reader,
  machines?: Machines,
): PodHttpAnswer | { readonly error: string } {
  const { podIP } = pod.status;
  if (!podIP) return { error: `dial tcp: address <nil>: no suitable address found` };
  for (const { process, sinceStart } of runningContainers(pod, now, images, read, machines)) {
    if (!isListening(process, request.port, sinceStart)) continue;
    return process.serve?.(request, sinceStart) ?? { status: 200 };
  }
  return { error: `dial tcp ${podIP}:${request.port}: connect: connection refused` };
}

/**
 * Sends an HTTP request as an input of the cluster: what it does to the server's machine, and to those that this one
 * asks, is written down by `client`. An answer that takes time is looked at only.
 */
export function reachPod(
  pod: Pod,
  request: PodHttpRequest,
  now: Millis,
  images: ImageCatalog,
  read: Reader,
  machines: Machines,
  client: Client,
): PodHttpAnswer | { readonly error: string } {
  const passed = passOn({ pod, request }, now, images, read, machines);
  if (passed && !passed.to) return passed.answer;
  const { pod: last, request: own } = passed?.to ?? { pod, request };
  const seen = dialServer(last, own, now, images, read, machines);
  const { podIP } = last.status;
  const isLook = !podIP || 'error' in seen || seen.delayMs;
  const answer = isLook ? seen : (machines.send(client, machines.viewOf(last), podIP, own, now) ?? seen);
  return passed?.to ? passed.finish(answer) : answer;
}

/** A request that has come to a server. */
interface Arrived {
  readonly pod: Pod;
  readonly request: PodHttpRequest;
}

type Passed =
  | { readonly to: Arrived; finish(answer: PodHttpAnswer | { readonly error: string }): PodHttpAnswer }
  | { readonly to?: undefined; readonly answer: PodHttpAnswer };

/** Servers that stand before servers that stand before servers. */
const MAX_PASSINGS = 5;

/**
 * Where a request goes that a server passes on, through the network as that server's pod is in it. Undefined: the
 * server answers by itself.
 */
function passOn(
  first: Arrived,
  now: Millis,
  images: ImageCatalog,
  read: Reader,
  machines: Machines,
  depth = 0,
): Passed | undefined {
  const { pod, request } = first;
  const server = [...runningContainers(pod, now, images, read, machines)].find(
    ({ process, sinceStart }) => process.pass && isListening(process, request.port, sinceStart),
  );
  const passing = server?.process.pass?.(request, { read, now });
  if (!passing) return undefined;
  if (!('address' in passing)) return { answer: passing };
  if (depth >= MAX_PASSINGS) return { answer: passing.fail('lost') };
  const { address, request: next } = passing;
  const sourcePort = 32_768 + (hash32(`${pod.metadata.uid}/${address}`, now) % 28_232);
  const { end } = machines.network.send({ pod }, { address, port: next.port, protocol: 'tcp' }, sourcePort, now);
  if ('error' in end) return { answer: passing.fail(end.error === 'ECONNREFUSED' ? 'refused' : 'lost') };
  if (!('pod' in end)) return { answer: passing.fail('refused') };
  const arrived = { pod: end.pod, request: { ...next, port: end.port } };
  const further = passOn(arrived, now, images, read, machines, depth + 1);
  if (further && !further.to) return { answer: passing.finish(further.answer) };
  return {
    to: further?.to ?? arrived,
    finish: (answer) => {
      const own = further?.to ? further.finish(answer) : answer;
      return 'error' in own ? passing.fail('refused') : passing.finish(own);
    },
  };
}

/** The pod's containers that run, those of its own first, then init and ephemeral containers. */
export function* runningContainers(
  pod: Pod,
  now: Millis,
  images: ImageCatalog,
  read: Reader,
  machines?: Machines,
): Generator<RunningContainer> {
  const { spec, status } = pod;
  const containers = [
    ...spec.containers,
    ...(spec.initContainers ?? []),
    ...((spec.ephemeralContainers ?? []) as Container[]),
  ];
  const statuses = [
    ...(status.containerStatuses ?? []),
    ...(status.initContainerStatuses ?? []),
    ...(status.ephemeralContainerStatuses ?? []),
  ];
  const network = networkOf(read, pod.metadata.namespace ?? '');
  for (const container of containers) {
    const found = statuses.find(({ name }) => name === container.name);
    if (!found?.state?.running?.startedAt) continue;
    const startedAt = parseTimestamp(found.state.running.startedAt);
    const run = { container, image: found.image, containerID: found.containerID ?? '', startedAt };
    const process = machines
      ? machines.processOf(machines.viewOf(pod), run, { pod, read }, network, now)
      : processOf(images, run, { pod, read }, network);
    if (process) yield { container, process, sinceStart: now - startedAt };
  }
}
