import type { Program } from '../../../engine/kernel/process/program.js';
import { iptables, iptablesSave } from './iptables.js';

/** What shows netfilter's rules. */
export const programs: Readonly<Record<string, Program>> = {
  'iptables:iptables': iptables,
  'iptables:iptables-save': iptablesSave,
  'iptables:ip6tables': iptables,
  'iptables:ip6tables-save': iptablesSave,
};
