import type { Packet, Protocol } from '../rule.js';

export interface RealServer {
  readonly address: string;
  readonly port: number;
  readonly weight: number;
}

/** One service of IP Virtual Server, which translates (Masq). */
export interface VirtualServer {
  readonly protocol: Protocol;
  readonly address: string;
  readonly port: number;
  readonly scheduler: string;
  /** Scheduler's flags, as ipvsadm prints them: 'mh-port'. */
  readonly flags?: string;
  /** Seconds for which a client keeps its real server. */
  readonly persistence?: number;
  /** In the order of their addresses and ports. */
  readonly servers: readonly RealServer[];
}

/** What IP Virtual Server of a network namespace holds. */
export interface VirtualServers {
  /** The interface that has the addresses, though nothing leaves by it. */
  readonly device: string;
  /** Addresses of that interface, sorted as ip prints them. */
  addresses(): readonly string[];
  isBound(address: string): boolean;
  find(packet: Pick<Packet, 'protocol' | 'destination' | 'destinationPort'>): VirtualServer | undefined;
  /** In the order in which ipvsadm lists them. */
  all(): readonly VirtualServer[];
}
