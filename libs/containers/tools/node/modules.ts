import { KERNEL_RELEASE } from '../../../engine/kernel/proc/kernel-facts.js';
import { parseOptions } from '../framework/options.js';
import { defineTool, ToolFailure } from '../framework/tool.js';

/** A module with what it takes in memory and what uses it. */
type Module = readonly [name: string, size: number, usedBy: readonly string[]];

/** What containerd, kube-proxy and a network's agent have loaded on every node. */
const LOADED: readonly Module[] = [
  ['xt_conntrack', 12_288, []],
  ['xt_MASQUERADE', 16_384, []],
  ['xt_comment', 12_288, []],
  ['xt_mark', 12_288, []],
  ['veth', 45_056, []],
  ['nft_compat', 20_480, []],
  ['nf_tables', 380_928, ['nft_compat']],
  ['br_netfilter', 36_864, []],
  ['bridge', 389_120, ['br_netfilter']],
  ['stp', 12_288, ['bridge']],
  ['llc', 16_384, ['bridge', 'stp']],
  ['overlay', 221_184, []],
  ['nf_nat', 65_536, ['xt_MASQUERADE']],
  ['nf_conntrack', 204_800, ['xt_conntrack', 'nf_nat', 'xt_MASQUERADE']],
  ['nf_defrag_ipv4', 12_288, ['nf_conntrack']],
  ['nf_defrag_ipv6', 24_576, ['nf_conntrack']],
];
/** What the kernel has beside them: loading it changes nothing that is simulated. */
const OTHERS = ['ip_vs', 'ip_vs_rr', 'ip_vs_wrr', 'ip_vs_sh', 'ip_tables', 'iptable_nat', 'iptable_filter', 'nfs'];
const KNOWN = new Set([...LOADED.map(([name]) => name), ...OTHERS, 'vxlan', 'wireguard', 'tun', 'dm_crypt', 'rbd']);

const spelt = (name: string): string => name.replaceAll('-', '_');

/** Models kmod's modprobe: what is loaded stays, and none is unloaded. */
export const modprobe = defineTool((tool) => {
  const options = parseOptions(tool, ['a,all', 'r,remove', 'v,verbose', 'n,dry-run', 'q,quiet', 'f,force']);
  if (options.operands.length === 0) throw new ToolFailure('ERROR: missing parameters. See -h.');
  const names = options.has('a') ? options.operands : options.operands.slice(0, 1);
  const unknown = names.find((name) => !KNOWN.has(spelt(name)));
  if (unknown !== undefined)
    throw new ToolFailure(`FATAL: Module ${unknown} not found in directory /lib/modules/${KERNEL_RELEASE}`);
  if (options.has('r')) throw new ToolFailure(`FATAL: Module ${spelt(names[0]!)} is in use.`);
  return 0;
});

/** Models kmod's lsmod. */
export const lsmod = defineTool((tool) => {
  parseOptions(tool, []);
  tool.out('Module                  Size  Used by\n');
  for (const [name, size, usedBy] of LOADED) {
    const users = usedBy.length === 0 ? '' : ` ${usedBy.join(',')}`;
    tool.out(`${name.padEnd(19)} ${String(size).padStart(8)}  ${usedBy.length}${users}\n`);
  }
  return 0;
});

/** A node has no swap: there is nothing to list, and nothing to turn off. */
export const swapon = defineTool((tool) => {
  const options = parseOptions(tool, ['s,summary', 'show::', 'a,all', 'noheadings', 'bytes', 'v,verbose']);
  const [device] = options.operands;
  if (device === undefined) return 0;
  throw new ToolFailure(`cannot open ${device}: No such file or directory`);
});

export const swapoff = defineTool((tool) => {
  const options = parseOptions(tool, ['a,all', 'v,verbose']);
  const [device] = options.operands;
  if (options.has('a')) return 0;
  throw new ToolFailure(device === undefined ? 'bad usage' : `${device}: swapoff failed: Invalid argument`);
});
