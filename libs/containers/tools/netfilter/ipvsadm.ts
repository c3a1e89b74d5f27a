import type { Bytes } from '../../../engine/kernel/bytes.js';
import {
  listVirtualServers,
  saveVirtualServers,
  type Protocol,
  type VirtualServer,
  type VirtualServers,
} from '../../../engine/kernel/netfilter/index.js';
import { parseOptions, type Options } from '../framework/options.js';
import { defineTool, ToolFailure } from '../framework/tool.js';

const CHANGES = ['A', 'E', 'D', 'C', 'R', 'a', 'e', 'd', 'Z', 'set'];
const LIST = [
  'L,list',
  'l',
  'S,save',
  'n,numeric',
  'stats',
  'rate',
  'exact',
  'thresholds',
  'sort',
  'nosort',
  'timeout',
];
const WHICH = ['t,tcp-service:', 'u,udp-service:', 'sctp-service:', 'c,connection', 'v,version', 'h'];
const OPTIONS = [...LIST, ...WHICH];
const USAGE = 'ipvsadm v1.31 2019/12/24 (compiled with popt and IPVS v1.2.1)\n';
const RESOURCE_PROBLEM = 2;
const PROTOCOLS: readonly (readonly [string, Protocol])[] = [
  ['t', 'tcp'],
  ['u', 'udp'],
  ['sctp-service', 'sctp'],
];

/**
 * Shows the virtual servers of the machine's network namespace. Models ipvsadm. Left out: changing them, which are
 * those that kube-proxy writes; names of hosts and ports; connections and counters are 0.
 */
export const ipvsadm = defineTool((tool) => {
  const [first = ''] = tool.args;
  if (CHANGES.some((letter) => first === `-${letter}`))
    throw new ToolFailure(`${first}: changing virtual servers is not simulated`, RESOURCE_PROBLEM);
  const options = parseOptions(tool, OPTIONS);
  if (options.has('v')) {
    tool.out(USAGE);
    return 0;
  }
  if (!tool.sys.hasCapability('NET_ADMIN')) {
    tool.err(
      "Can't initialize ipvs: Permission denied (you must be root)\n" +
        'Are you sure that IP Virtual Server is built in the kernel or as module?\n',
    );
    return RESOURCE_PROBLEM;
  }
  if (options.has('timeout')) {
    tool.out('Timeout (tcp tcpfin udp): 900 120 300\n');
    return 0;
  }
  if (options.has('c')) {
    tool.out('IPVS connection entries\npro expire state       source             virtual            destination\n');
    return 0;
  }
  const ipvs = joinServers(tool.sys.netfilter().ipvs, tool.sys.netfilter(true).ipvs);
  if (options.has('S')) tool.out(saveVirtualServers(ipvs));
  else tool.out(listVirtualServers(ipvs, { columns: columnsOf(options) }, chooserOf(options)));
  return 0;
});

/** Both families are listed together. */
const joinServers = (
  first: VirtualServers | undefined,
  second: VirtualServers | undefined,
): VirtualServers | undefined =>
  first && second ? { ...first, all: () => [...first.all(), ...second.all()] } : (first ?? second);

const columnsOf = (options: Options): 'connections' | 'stats' | 'rate' =>
  options.has('stats') ? 'stats' : options.has('rate') ? 'rate' : 'connections';

/** `-t 10.96.0.1:443`: this one only. Throws ToolFailure. */
function chooserOf(options: Options): (one: VirtualServer) => boolean {
  const found = PROTOCOLS.find(([key]) => options.has(key));
  if (!found) return () => true;
  const [key, wanted] = found;
  const text: Bytes = options.value(key) ?? '';
  if (!/^[\d.]{7,15}:\d{1,5}$/.test(text)) throw new ToolFailure('illegal virtual server address[:port] specified');
  return ({ protocol, address, port }) => protocol === wanted && `${address}:${port}` === text;
}
