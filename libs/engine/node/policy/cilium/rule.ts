import type { IPBlock } from '../ip-blocks.js';
import type { Decision, HttpMatch, Protocol } from '../packet.js';
import type { LabelTest } from './selector.js';

/** Who is at the other end. */
export type PeerMatch =
  | { readonly type: 'labels'; readonly test: LabelTest }
  | { readonly type: 'entity'; readonly name: string }
  | { readonly type: 'cidr'; readonly block: IPBlock }
  | {
      readonly type: 'group';
      readonly test: (name: string, labels: Readonly<Record<string, string>>) => boolean;
      readonly except: readonly string[];
    }
  | { readonly type: 'service'; readonly isMeant: (service: ServiceName) => boolean };

export interface ServiceName {
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

export interface PortMatch {
  /** A number, or a name of a port of the receiver; 0: all. */
  readonly port: number | string;
  readonly end: number;
  readonly protocol: Protocol | 'ANY';
  /** Undefined: whatever is said there. */
  readonly http?: readonly HttpMatch[];
}

/** One item of ingress, ingressDeny, egress or egressDeny. */
export interface Item {
  readonly place: number;
  /** Any of them; undefined: nobody is named. */
  readonly peers: readonly PeerMatch[] | undefined;
  /** All of them beside. */
  readonly requires: readonly LabelTest[];
  /** Any of them; undefined: all ports. */
  readonly ports: readonly PortMatch[] | undefined;
}

/** What a rule says of one direction. */
export interface Part {
  readonly allow: readonly Item[];
  readonly deny: readonly Item[];
  /** What no rule allows is denied. */
  readonly closes: boolean;
}

/** One rule of a policy, or a NetworkPolicy. */
export interface CiliumRule {
  readonly kind: Decision['kind'];
  /** 'namespace/name', or 'name'. */
  readonly key: string;
  readonly subject: LabelTest;
  readonly ingress: Part;
  readonly egress: Part;
}
