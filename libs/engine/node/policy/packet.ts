import type { Pod } from '../../api/core_v1.js';

export type Protocol = 'TCP' | 'UDP' | 'SCTP';

/** One end of a connection. */
export interface Party {
  readonly ip: string;
  /** The pod whose address it is; none for a node, a pod on its node's network, and what is outside. */
  readonly pod?: Pod;
  /** The node whose own address it is. */
  readonly node?: string;
}

/** The first packet of a connection, after the destination was translated and before the source is. */
export interface Packet {
  readonly source: Party;
  readonly destination: Party;
  /** That of the destination, 1 to 65535. */
  readonly port: number;
  readonly protocol: Protocol;
}

export type Direction = 'egress' | 'ingress';

/** What decided in one direction. */
export interface Decision {
  readonly direction: Direction;
  readonly action: 'allow' | 'deny';
  /** The pod whose traffic it is, as namespace/name. */
  readonly pod: string;
  readonly kind:
    | 'NetworkPolicy'
    | 'AdminNetworkPolicy'
    | 'BaselineAdminNetworkPolicy'
    /** Of crd.projectcalico.org. */
    | 'CalicoNetworkPolicy'
    | 'GlobalNetworkPolicy'
    /** Of cilium.io. */
    | 'CiliumNetworkPolicy'
    | 'CiliumClusterwideNetworkPolicy';
  /**
   * The policy whose rule matched; or those that isolate the pod, none of whose rules did. As namespace/name, or the
   * name alone where the kind has no namespaces.
   */
  readonly policies: readonly string[];
  /** The place of the rule that matched, from 0; none matched without it. */
  readonly rule?: number;
  /** Requests of HTTP that it allows, of which any has to match; absent: all that comes. */
  readonly http?: readonly HttpMatch[];
}

/** What a rule asks of a request. Texts are expressions that have to match the whole. */
export interface HttpMatch {
  readonly method: string;
  readonly path: string;
  readonly host: string;
  /** Headers, with the value that they must have; undefined: any. */
  readonly headers: readonly (readonly [name: string, value: string | undefined])[];
}

/** What the policies make of a packet: it is dropped when one direction denies it. */
export interface Verdict {
  readonly allowed: boolean;
  /** In the order that they were taken in; none when no policy selects either end. */
  readonly decisions: readonly Decision[];
}

export const ALLOWED: Verdict = { allowed: true, decisions: [] };
