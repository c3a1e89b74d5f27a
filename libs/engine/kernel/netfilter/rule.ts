import type { Prefix } from './prefix.js';

export type Protocol = 'tcp' | 'udp' | 'sctp' | 'icmp';
export type TableName = 'raw' | 'mangle' | 'filter' | 'nat';
export type Hook = 'PREROUTING' | 'INPUT' | 'FORWARD' | 'OUTPUT' | 'POSTROUTING';
export type ConnectionState = 'NEW' | 'ESTABLISHED' | 'RELATED' | 'INVALID' | 'UNTRACKED' | 'DNAT' | 'SNAT';
export type AddressType = 'LOCAL' | 'UNICAST' | 'BROADCAST' | 'MULTICAST';
export type RejectWith =
  | 'icmp-port-unreachable'
  | 'icmp6-port-unreachable'
  | 'icmp-host-unreachable'
  | 'icmp-net-unreachable'
  | 'icmp-admin-prohibited'
  | 'tcp-reset';

/** First and last port; the same for one. */
export type Ports = readonly [number, number];

/** What may be turned round by '!'. */
interface Turned {
  readonly isNot?: boolean;
}

export type AddressMatch = Turned & { readonly prefix: Prefix };
export type NameMatch = Turned & { readonly name: string };

/** What stands behind `-m`. */
export type Match =
  | { readonly type: 'comment'; readonly text: string }
  | { readonly type: 'tcp' | 'udp' | 'sctp'; readonly sport?: Ports; readonly dport?: Ports }
  | (Turned & { readonly type: 'multiport'; readonly side: 'sports' | 'dports'; readonly ports: readonly Ports[] })
  | (Turned & { readonly type: 'mark'; readonly value: number; readonly mask: number })
  | (Turned & { readonly type: 'conntrack'; readonly states: readonly ConnectionState[] })
  | { readonly type: 'statistic'; readonly probability: number }
  | {
      readonly type: 'recent';
      readonly mode: 'set' | 'rcheck';
      readonly name: string;
      readonly seconds?: number;
      /** Its list is of addresses of IPv6. */
      readonly isSixth?: true;
    }
  | (Turned & { readonly type: 'addrtype'; readonly side: 'src' | 'dst'; readonly kind: AddressType })
  | (Turned & { readonly type: 'set'; readonly name: string; readonly flags: readonly ('src' | 'dst')[] })
  | (Turned & { readonly type: 'physdev'; readonly side: 'is-in' | 'is-out' | 'is-bridged' })
  | (Turned & { readonly type: 'ipvs'; readonly address: string; readonly protocol: Protocol; readonly port: number });

/** What stands behind `-j`. `MARK` clears the bits of `mask`, then turns those of `value`: --set-xmark. */
export type Target =
  | { readonly type: 'ACCEPT' | 'DROP' | 'RETURN' }
  | { readonly type: 'jump'; readonly chain: string }
  | { readonly type: 'REJECT'; readonly with: RejectWith }
  | { readonly type: 'DNAT' | 'SNAT'; readonly to: string }
  | { readonly type: 'MASQUERADE'; readonly isRandom?: boolean }
  | { readonly type: 'MARK'; readonly value: number; readonly mask: number };

export interface Rule {
  readonly source?: AddressMatch;
  readonly destination?: AddressMatch;
  readonly input?: NameMatch;
  readonly output?: NameMatch;
  readonly protocol?: Turned & { readonly name: Protocol };
  /** In the order in which they were given, which is that of iptables-save. */
  readonly matches: readonly Match[];
  /** Absent: the rule only counts. */
  readonly target?: Target;
}

export interface Chain {
  readonly name: string;
  /** Of a chain that is built in. */
  readonly policy?: 'ACCEPT' | 'DROP';
  /** All rules in their order. */
  rules(): readonly Rule[];
  /**
   * The rules that may match a packet, in their order: those left out are sure not to. A chain of many rules has an
   * index; by default all.
   */
  select?(packet: Packet): readonly Rule[];
}

export interface Table {
  readonly name: TableName;
  chain(name: string): Chain | undefined;
  /** All chains: those built in by their hooks, then the others by name. */
  chains(): readonly Chain[];
}

export type SetType = 'hash:ip' | 'hash:ip,port' | 'hash:ip,port,ip' | 'hash:ip,port,net' | 'bitmap:port';

/** Members as ipset prints them: '10.0.0.1,tcp:80', '10.0.0.0/8', '80'. */
export interface AddressSet {
  readonly name: string;
  readonly type: SetType;
  members(): readonly string[];
  /** The members that may match a packet: those left out are sure not to. By default all. */
  select?(packet: Packet): readonly string[];
}

/** The first packet of a connection, or a datagram. */
export interface Packet {
  readonly source: string;
  readonly destination: string;
  readonly protocol: Protocol;
  readonly sourcePort: number;
  readonly destinationPort: number;
  readonly mark: number;
  readonly state: ConnectionState;
  readonly input?: string;
  readonly output?: string;
  /** The virtual server that has chosen the destination. */
  readonly virtual?: { readonly address: string; readonly protocol: Protocol; readonly port: number };
}

/** What the walk asks of the host whose rules it walks. */
export interface Host {
  isLocal(address: string): boolean;
  /** A number from 0 to 1 for the packet at the n-th random rule that it meets: the same packet gets the same. */
  random(packet: Packet, n: number): number;
  /**
   * Whether the packet's source stands in a list of -m recent, at most so many seconds old. `lists`: all that the chain
   * asks for.
   */
  isRecent(name: string, packet: Packet, seconds: number, lists: readonly string[]): boolean;
  /** The address that MASQUERADE takes. */
  masqueradeAs(packet: Packet): string;
}
