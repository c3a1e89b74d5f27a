import type { Program } from '../../../engine/kernel/process/program.js';
import { conntrack } from './conntrack.js';
import { ipset } from './ipset.js';
import { iptables, iptablesSave } from './iptables.js';
import { ipvsadm } from './ipvsadm.js';
import { nft } from './nft.js';

/** What shows netfilter's rules. */
export const programs: Readonly<Record<string, Program>> = {
  'conntrack:conntrack': conntrack,
  'iptables:iptables': iptables,
  'iptables:iptables-save': iptablesSave,
  'iptables:ip6tables': iptables,
  'iptables:ip6tables-save': iptablesSave,
  'ipset:ipset': ipset,
  'ipvsadm:ipvsadm': ipvsadm,
  'nftables:nft': nft,
};
