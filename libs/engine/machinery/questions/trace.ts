import type { Millis } from '../time/time.js';

/**
 * One end of a trace. As text: 'pod/NAMESPACE/NAME', 'service/NAMESPACE/NAME', 'node/NAME', an address, or a name that
 * the sender's pod asks its name server for.
 */
export type TraceEnd =
  | { readonly type: 'pod' | 'service'; readonly namespace: string; readonly name: string }
  | { readonly type: 'node'; readonly name: string }
  | { readonly type: 'address'; readonly address: string }
  | { readonly type: 'name'; readonly name: string };

export interface TraceQuestion {
  readonly from: TraceEnd;
  readonly to: TraceEnd;
  /** A Service's port may be named; by default its only one. */
  readonly port?: number | string;
  readonly protocol: 'TCP' | 'UDP' | 'SCTP';
}

export type TraceVerdict = 'Delivered' | 'Refused' | 'Dropped' | 'Unreachable';

/** One station, and what decided there. */
export interface TraceHop {
  /** 'pod shop/web', 'node worker-1', 'outside'. */
  at: string;
  type: 'name' | 'route' | 'rule' | 'translation' | 'policy' | 'delivery' | 'loss';
  /** The rule as iptables-save prints it, the route as ip prints it, the policy and its rule. */
  text: string;
}

export interface TraceAnswer {
  verdict: TraceVerdict;
  /** What the sender's program is told, or who answers. */
  reason: string;
  /** The address that was asked for, and its port. */
  address: string;
  port: number;
  /** The address that the receiver sees. */
  source: string;
  hops: TraceHop[];
}

/** Walks the first packet of a connection; a text says what of the question is not there. */
export type Tracer = (question: TraceQuestion, now: Millis) => TraceAnswer | string;

/** Characters of a name in DNS, and some to say what it is. */
const MAX_TEXT = 300;
const NAME = /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?\.?$/;

/** Reads one end; undefined for what is none. `isAddress`: tells addresses from names. */
export function parseTraceEnd(text: string, isAddress: (text: string) => boolean): TraceEnd | undefined {
  if (text.length > MAX_TEXT) return undefined;
  const [type = '', ...parts] = text.split('/');
  if (parts.length === 0) {
    if (isAddress(text)) return { type: 'address', address: text };
    return NAME.test(text) ? { type: 'name', name: text } : undefined;
  }
  if (!parts.every((part) => NAME.test(part))) return undefined;
  const [first = '', second] = parts;
  if (type === 'node' && second === undefined) return { type, name: first };
  if ((type === 'pod' || type === 'service') && second !== undefined && parts.length === 2)
    return { type, namespace: first, name: second };
  return undefined;
}
