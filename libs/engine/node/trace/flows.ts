import type { Track } from '../../kernel/conntrack/track.js';
import { Services } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import type { FlowAnswer, FlowReader, FlowRecord } from '../../machinery/questions/flow.js';
import { microTimestamp, type Millis } from '../../machinery/time/time.js';
import type { TraceVerdict } from '../../machinery/questions/trace.js';
import type { Connected } from '../cri/looks/tracks.js';
import type { ClusterNetwork } from '../network/cluster-network.js';

/** Flows that a program on a node is shown: of so many ms, and how many. */
const SHOWN_FLOWS = 300_000;
const MAX_SHOWN_FLOWS = 200;

/** What flows are read from: Machines is one. */
export interface FlowSource {
  readonly network: ClusterNetwork;
  connected(now: Millis): Connected[];
}

/** Reads who talked to whom from what machines remember. Nobody keeps it: who does not ask pays nothing. */
export const flowsOf =
  (source: FlowSource, read: Reader): FlowReader =>
  ({ since, limit }, now): FlowAnswer => {
    const found = tracksOf(source, now).filter(({ track }) => changedAt(track) >= since && track.startedAt <= now);
    found.sort((a, b) => changedAt(b.track) - changedAt(a.track));
    const services = new Map(
      read.list(Services).flatMap(({ metadata, spec }): [string, string][] => {
        const name = `service/${metadata.namespace}/${metadata.name}`;
        return (spec.clusterIPs ?? [spec.clusterIP ?? '']).map((ip) => [ip, name]);
      }),
    );
    const flows = found.slice(0, limit).map((one) => recordOf(one, source.network, services));
    return { at: microTimestamp(now), flows, left: found.length - flows.length };
  };

/** The last flows, for programs that show them. */
export const recentFlows = (source: FlowSource, read: Reader, now: Millis): readonly FlowRecord[] =>
  flowsOf(source, read)({ since: now - SHOWN_FLOWS, limit: MAX_SHOWN_FLOWS }, now).flows;

interface Found {
  readonly id: string;
  /** Undefined: from outside. */
  readonly from: string | undefined;
  readonly track: Track;
}

function tracksOf(source: FlowSource, now: Millis): Found[] {
  const found: Found[] = source.network.outside
    .list()
    .map((track) => ({ id: `outside/${track.id}/${track.startedAt}`, from: undefined, track }));
  for (const { pod, state } of source.connected(now)) {
    const { namespace, name, uid } = pod.metadata;
    const from = uid?.startsWith('shell-') ? `node/${pod.spec.nodeName}` : `pod/${namespace}/${name}`;
    for (const track of state.tracks.values())
      found.push({ id: `${state.id}/${track.id}/${Math.round(track.startedAt)}`, from, track });
  }
  return found;
}

const changedAt = ({ lastAt, endedAt = -Infinity }: Track): Millis => Math.max(lastAt, endedAt);

function recordOf(
  { id, from, track }: Found,
  network: ClusterNetwork,
  services: ReadonlyMap<string, string>,
): FlowRecord {
  const { sent, passed, startedAt, endedAt, protocol, decided, bytesSent, bytesReceived } = track;
  const service = services.get(sent.destination);
  return {
    id,
    startedAt: microTimestamp(startedAt),
    ...(endedAt === undefined ? {} : { endedAt: microTimestamp(endedAt) }),
    from: from ?? nameOf(sent.source, network),
    to: nameOf(passed.at(-1)?.to.destination ?? sent.destination, network),
    ...(service === undefined ? {} : { service }),
    ...{ address: sent.destination, port: sent.destinationPort },
    protocol: protocol.toUpperCase() as FlowRecord['protocol'],
    verdict: verdictOf(track),
    ...{ decided, bytesSent, bytesReceived, nodes: [...new Set(passed.map(({ at }) => at))] },
  };
}

function nameOf(address: string, { book }: ClusterNetwork): string {
  const pod = book.podAt(address);
  if (pod) return `pod/${pod.metadata.namespace}/${pod.metadata.name}`;
  const node = book.nodeAt(address);
  return node ? `node/${node.metadata.name}` : address;
}

/** A connection that was reset later was delivered. */
function verdictOf({ end, endedAt, startedAt }: Track): TraceVerdict {
  if (end === 'lost') return 'Dropped';
  return end === 'reset' && (endedAt ?? startedAt) === startedAt ? 'Refused' : 'Delivered';
}
