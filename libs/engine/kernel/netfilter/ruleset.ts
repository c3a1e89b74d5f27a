import type { VirtualServers } from './ipvs/virtual-server.js';
import type { NftTable } from './nft/table.js';
import type { AddressSet, Table } from './rule.js';

/** What netfilter of one network namespace holds. */
export interface Ruleset {
  /** In the order in which iptables-save prints them. */
  readonly tables: readonly Table[];
  /** Sets of addresses, by name. */
  readonly sets?: ReadonlyMap<string, AddressSet>;
  /** A table that is nftables' own. */
  readonly nft?: NftTable;
  /** What IP Virtual Server balances. */
  readonly ipvs?: VirtualServers;
}
