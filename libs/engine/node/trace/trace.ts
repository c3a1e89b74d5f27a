import type { Pod } from '../../api/core_v1.js';
import type { Protocol } from '../../kernel/netfilter/index.js';
import type { NameAnswer } from '../../kernel/process/syscalls.js';
import type { Reader } from '../../machinery/client.js';
import type { Millis } from '../../machinery/time/time.js';
import type { TraceAnswer, TraceHop, TraceQuestion, Tracer, TraceVerdict } from '../../machinery/questions/trace.js';
import type { Process } from '../cri/image.js';
import { askNameServer, DNS_PORT, type NameNetwork } from '../dns/ask-name-server.js';
import { dnsConfigOf } from '../kubelet/network/dns.js';
import type { ClusterNetwork } from '../network/cluster-network.js';
import { findTaker, type Taker } from '../network/walk/deliver.js';
import { REFUSED } from '../network/walk/target.js';
import type { Sender, Way } from '../network/walk/way.js';
import { describeHop } from './describe.js';
import { findSender, findTarget } from './ends.js';

/** What a trace walks through: Machines is one. */
export interface TracedNetwork {
  readonly network: ClusterNetwork;
  listenerOf(pod: Pod, port: number, now: Millis): 'summary' | 'machine' | 'none';
  nameServerOf(pod: Pod, now: Millis): Process | undefined;
  /** Whether a program of a pod's machine accepts packets at a port. */
  hasSocketAt(pod: Pod, port: number, protocol: Protocol, now: Millis): boolean;
}

/** The port that the sender's socket has: a trace of one moment chooses the same endpoint each time. */
const SOURCE_PORT = 40_000;
const MAX_HOPS = 500;
/** By what the sender's program is told. */
const VERDICTS: Readonly<Record<string, readonly [TraceVerdict, string]>> = {
  ECONNREFUSED: ['Refused', 'connection refused'],
  ETIMEDOUT: ['Dropped', 'connection timed out'],
  EHOSTUNREACH: ['Unreachable', 'no route to host'],
  ENETUNREACH: ['Unreachable', 'network is unreachable'],
};

/**
 * Answers what happens to the first packet of a connection by walking it, as a program's connect does: what decides
 * there is what is shown here.
 */
export const tracerOf =
  (traced: TracedNetwork, read: Reader): Tracer =>
  (question, now) => {
    const sender = findSender(read, question.from);
    if (typeof sender === 'string') return sender;
    const target = findTarget(read, question);
    if ('fault' in target) return target.fault;
    const hops: TraceHop[] = [];
    if ('address' in target) return walk(traced, sender, question, target, hops, now);
    const found = resolve(traced, read, sender, target.name, hops, now);
    if ('address' in found) return walk(traced, sender, question, { ...found, port: target.port }, hops, now);
    return { verdict: found.verdict, reason: found.reason, address: '', port: target.port, source: '', hops };
  };

function walk(
  traced: TracedNetwork,
  sender: Sender,
  { protocol }: TraceQuestion,
  { address, port }: { readonly address: string; readonly port: number },
  hops: TraceHop[],
  now: Millis,
): TraceAnswer {
  const to = { address, port, protocol: protocol.toLowerCase() as Protocol };
  const way = traced.network.send(sender, to, SOURCE_PORT, now);
  hops.push(...way.hops.slice(0, MAX_HOPS).map(describeHop));
  const taker = takerOf(traced, way, now);
  // The way leads to whatever machine may listen; whether it does is seen in it.
  const isDeaf =
    'pod' in taker && taker.by === 'machine' && !traced.hasSocketAt(taker.pod, taker.port, to.protocol, now);
  const [verdict, reason] = verdictOf(way, isDeaf ? REFUSED : taker);
  return { verdict, reason, address, port, source: way.source, hops };
}

const takerOf = (traced: TracedNetwork, way: Way, now: Millis): Taker =>
  findTaker(
    way,
    {
      listenerOf: (pod, port, at) => traced.listenerOf(pod, port, at),
      podsOnHost: (node) => traced.network.book.podsOnHost(node),
      hostServer: (node, port, at, isLocal) => traced.network.hostServer(node, port, at, isLocal),
    },
    now,
  );

function verdictOf({ end }: Way, taker: Taker): readonly [TraceVerdict, string] {
  if ('error' in taker) {
    const [verdict, text] = VERDICTS[taker.error] ?? ['Unreachable', taker.error];
    if ('outside' in end) return [verdict, `${text}: nothing outside of the cluster answers`];
    return [verdict, 'error' in end ? text : `${text}: nothing listens at port ${end.port}`];
  }
  if ('pod' in taker) return ['Delivered', `pod ${taker.pod.metadata.namespace}/${taker.pod.metadata.name} answers`];
  return ['Delivered', 'api' in taker ? 'the API server answers' : 'the node answers'];
}

type Found = { readonly address: string } | { readonly verdict: TraceVerdict; readonly reason: string };

/** Asks the sender's name server, through its list of domains, as a resolver does. */
function resolve(
  traced: TracedNetwork,
  read: Reader,
  sender: Sender,
  name: string,
  hops: TraceHop[],
  now: Millis,
): Found {
  if (!('pod' in sender)) return { verdict: 'Unreachable', reason: 'only pods ask for names' };
  const { pod } = sender;
  const config = dnsConfigOf(pod, pod.status.hostIP ?? '');
  const [server = ''] = config.nameservers;
  for (const asked of namesOf(name, config)) {
    const answer = ask(traced, read, pod, server, asked, hops, now);
    if (answer.failure) return failed(answer.failure, server);
    const address = answer.records.find(({ type }) => type === 'A')?.data;
    if (address === undefined) continue;
    hops.push({ at: nameOf(pod), type: 'name', text: `${asked} has address ${address}` });
    return { address };
  }
  return { verdict: 'Unreachable', reason: `${name} has no address` };
}

const nameOf = ({ metadata }: Pod): string => `pod ${metadata.namespace}/${metadata.name}`;

/** Models glibc's res_nsearch: a name with few dots is looked for in the domains first. */
function namesOf(name: string, { searches, options }: ReturnType<typeof dnsConfigOf>): string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)];
  const ndots = Number(options.find((one) => one.startsWith('ndots:'))?.slice('ndots:'.length) ?? 1);
  const found = searches.map((domain) => `${name}.${domain}`);
  return name.split('.').length - 1 >= ndots ? [name, ...found] : [...found, name];
}

/** One question. The way to the name server is shown when it does not get there. */
function ask(
  traced: TracedNetwork,
  read: Reader,
  pod: Pod,
  server: string,
  name: string,
  hops: TraceHop[],
  now: Millis,
): NameAnswer {
  const { network } = traced;
  const names: NameNetwork = {
    read,
    walk(from, address, at) {
      const way = network.send({ pod: from }, { address, port: DNS_PORT, protocol: 'udp' }, SOURCE_PORT, at);
      if ('pod' in way.end) return { pod: way.end.pod };
      if (from === pod) hops.push(...way.hops.slice(0, MAX_HOPS).map(describeHop));
      if ('error' in way.end && way.end.error === 'ECONNREFUSED') return { failure: 'refused' };
      return { failure: 'error' in way.end && way.end.error === 'ENETUNREACH' ? 'unreachable' : 'lost' };
    },
    serverIn: (of, at) => traced.nameServerOf(of, at),
  };
  return askNameServer(names, pod, server, name, 'A', now);
}

function failed(failure: NonNullable<NameAnswer['failure']>, server: string): Found {
  const what = `the name server ${server || 'that there is none of'}`;
  if (failure === 'refused') return { verdict: 'Refused', reason: `${what} refuses questions` };
  if (failure === 'unreachable') return { verdict: 'Unreachable', reason: `${what} cannot be reached` };
  return { verdict: 'Dropped', reason: `${what} does not answer` };
}
