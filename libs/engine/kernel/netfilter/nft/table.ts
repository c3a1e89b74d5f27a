import type { Prefix } from '../prefix.js';
import type { Hook, Packet, Protocol } from '../rule.js';

/** What may stand behind `vmap`'s key, and before a comparison. */
export type NftField = 'ip saddr' | 'ip daddr' | 'meta l4proto' | 'th dport';

export type NftVerdict =
  | { readonly type: 'accept' | 'drop' | 'return' | 'reject' }
  | { readonly type: 'jump' | 'goto'; readonly chain: string };

/** One part of a rule: a match, which may end the rule, or what the rule does. */
export type NftStatement =
  /** `ip saddr != 10.0.0.0/8`; isSet: in braces. */
  | {
      readonly type: 'address';
      readonly field: 'ip saddr' | 'ip daddr';
      readonly prefixes: readonly Prefix[];
      readonly isNot?: boolean;
      readonly isSet?: boolean;
    }
  /** `ip daddr @set`. `seconds`: of a set that packets add themselves to. */
  | {
      readonly type: 'lookup';
      readonly field: 'ip saddr' | 'ip daddr';
      readonly set: string;
      readonly seconds?: number;
    }
  | { readonly type: 'protocol'; readonly protocol: Protocol }
  | { readonly type: 'state'; readonly state: 'new' }
  /** `fib saddr type local`. */
  | { readonly type: 'fib'; readonly side: 'saddr' | 'daddr' }
  /** `meta mark & MASK == 0`. */
  | { readonly type: 'unmarked'; readonly mask: number }
  | { readonly type: 'mark'; readonly operation: '|' | '^'; readonly value: number }
  | { readonly type: 'vmap'; readonly fields: readonly NftField[]; readonly map: string }
  /** `numgen random mod N vmap { 0 : goto a, ... }`. */
  | { readonly type: 'random'; readonly verdicts: readonly NftVerdict[] }
  /** `update @set { ip saddr }`. */
  | { readonly type: 'update'; readonly set: string }
  | { readonly type: 'dnat'; readonly to: string }
  | { readonly type: 'masquerade' }
  | { readonly type: 'verdict'; readonly verdict: NftVerdict };

export interface NftRule {
  readonly statements: readonly NftStatement[];
  readonly comment?: string;
}

export interface NftChain {
  readonly name: string;
  readonly comment?: string;
  /** Of a chain that hangs at a hook. */
  readonly base?: { readonly type: 'filter' | 'nat'; readonly hook: Hook; readonly priority: number };
  readonly rules: readonly NftRule[];
}

/** A named set of addresses. */
export interface NftSet {
  readonly name: string;
  readonly comment?: string;
  /** Seconds that an element stays in; packets add their own. Which are in is not known: Host.isRecent says it. */
  readonly timeout?: number;
  elements(): readonly string[];
  has(address: string): boolean;
}

export interface NftElement {
  /** The fields' values, as nft prints them: '10.96.0.1 . tcp . 80'. */
  readonly key: string;
  readonly comment?: string;
  readonly verdict: NftVerdict;
}

/** A named map from values to verdicts. */
export interface NftMap {
  readonly name: string;
  /** 'ipv4_addr . inet_proto . inet_service'. */
  readonly keyType: string;
  readonly comment: string;
  elements(): readonly NftElement[];
  /** The element of a packet, of which the map's rule takes these fields. */
  find(packet: Packet): NftElement | undefined;
}

/** One table of nftables. */
export interface NftTable {
  readonly family: 'ip' | 'ip6';
  readonly name: string;
  readonly comment: string;
  set(name: string): NftSet | undefined;
  map(name: string): NftMap | undefined;
  chain(name: string): NftChain | undefined;
  /** Chains that hang at a hook. */
  readonly bases: readonly NftChain[];
  /** All, in the order in which nft lists them. */
  collections(): readonly (NftSet | NftMap)[];
  chains(): readonly NftChain[];
}
