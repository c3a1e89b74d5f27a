import type { Node, Pod } from '../../api/core_v1.js';
import type { NameAnswer } from '../../kernel/process/syscalls.js';
import { Nodes } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import type { Millis } from '../../machinery/time/time.js';
import type { Process } from '../cri/image.js';
import { dnsConfigOf } from '../kubelet/network/dns.js';
import { internalIPOf } from '../kubelet/nodestatus/internal-ip.js';
import { answerOutside } from './outside.js';

/** A server asks a server asks a server: so far and no further. */
const MAX_FORWARDS = 5;
/** From a pod to a server in the cluster and back. */
const ROUND_TRIP: Millis = 1;
export const DNS_PORT = 53;

/** How questions travel. */
export interface NameNetwork {
  readonly read: Reader;
  /** Where a pod's datagram to the port of name servers at an address ends. */
  walk(from: Pod, address: string, now: Millis): { readonly pod: Pod } | { readonly failure: Failure };
  /** The process that answers questions in a pod: undefined when nobody listens at that port. */
  serverIn(pod: Pod, now: Millis): Process | undefined;
}

export type Failure = NonNullable<NameAnswer['failure']>;

/** What a pod gets when it asks the name server at an address, through the network as it is. */
export function askNameServer(
  network: NameNetwork,
  from: Pod,
  server: string,
  name: string,
  type: string,
  now: Millis,
  depth = 0,
): NameAnswer {
  if (depth > MAX_FORWARDS) return failed('lost');
  if (isNodesRouter(network.read, server)) return answerOutside(name, type, network.read);
  const found = network.walk(from, server, now);
  if ('failure' in found) return failed(found.failure);
  const { pod } = found;
  const process = network.serverIn(pod, now);
  if (!process?.answerName) return failed('refused');
  const answer = process.answerName({
    ...{ name, type, now, read: network.read, from: from.status.podIP ?? '' },
    nameservers: dnsConfigOf(pod, pod.status.hostIP ?? '').nameservers,
    ask: (next, asked, askedType) => askNameServer(network, pod, next, asked, askedType, now, depth + 1),
  });
  if (answer.failure) return answer;
  const { logged, ...rest } = answer;
  return {
    ...rest,
    delay: answer.delay + ROUND_TRIP,
    ...(logged ? { logged: { text: logged.text, server: pod.metadata.uid ?? '' } } : {}),
  };
}

const failed = (failure: Failure): NameAnswer => ({ code: 'SERVFAIL', records: [], failure, delay: 0 });

/** The router of the nodes' network resolves names for them: the first address of theirs. */
const isNodesRouter = (read: Reader, server: string): boolean =>
  server.endsWith('.1') && read.list(Nodes).some((node) => routerOf(node) === server);

const routerOf = (node: Node): string => internalIPOf(node).replace(/\.\d+$/, '.1');
