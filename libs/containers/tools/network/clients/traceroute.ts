import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { lookupError, lookUp } from '../../../servers/lookup.js';
import type { FilterContext } from '../../framework/filter.js';
import { parseOptions } from '../../framework/options.js';
import { defineSteps } from '../../framework/steps.js';
import { ToolFailure, UsageFailure } from '../../framework/tool.js';

type TraceState = {
  /** The routers and the end; null: nobody answers from there. */
  hops: (string | null)[];
  shown: number;
  probes: number;
  /** ms for an answer. */
  patience: number;
  isNumeric: boolean;
  nextAt: number;
};

const OPTIONS = [
  ...['4', '6', 'F,dont-fragment', 'I,icmp', 'T,tcp', 'U,udp', 'n', 'r', 'v', 'l', 'd', 'e'],
  ...['f,first:', 'g,gateway:', 'i,interface:', 'm,max-hops:', 'N,sim-queries:', 'p,port:', 'q,queries:', 's,source:'],
  ...['t,tos:', 'w,wait:', 'z,sendwait:'],
];
const MAX_HOPS = 255;

/**
 * A route as a container sees it: its own gateway, and the end when that can be reached. What stands between is not
 * known in the container: it does not answer, as routers that drop the probes do not.
 */
export const traceroute = defineSteps<TraceState>(
  {
    start(tool) {
      const options = parseOptions(tool, OPTIONS);
      const [host, sizeText] = options.operands;
      const isGnu = tool.flavour === 'gnu';
      if (host === undefined) throw new UsageFailure(isGnu ? 'Specify "host" missing argument.' : '');
      const most = readNumber(options.value('m') ?? '30', MAX_HOPS, 'max hops');
      const first = readNumber(options.value('f') ?? '1', most, 'first hop out of range');
      const found = lookUp(tool.sys, host);
      const [address] = found.addresses;
      if (address === undefined && !isGnu) throw new ToolFailure(`bad address '${host}'`);
      if (address === undefined) {
        const place = tool.args.indexOf(host) + 1;
        tool.err(`${host}: ${lookupError(tool.sys, found)}\n`);
        tool.err(`Cannot handle "host" cmdline arg \`${host}' on position 1 (argc ${place})\n`);
        return 2;
      }
      const size = sizeText === undefined ? (isGnu ? 60 : 46) : readNumber(sizeText, 65_000, 'packet size');
      tool.sys.handleSignal('INT', 'default');
      tool.out(`traceroute to ${host} (${address}), ${most} hops max, ${size} byte packets\n`);
      const patience = Number(options.value('w') ?? (isGnu ? 5 : 3)) * 1_000;
      return {
        ...{ hops: hopsTo(tool.sys, address, most), shown: first - 1, isNumeric: options.has('n') },
        ...{ probes: readNumber(options.value('q') ?? '3', 10, 'probes'), patience, nextAt: tool.sys.now },
      };
    },
    step(tool, state) {
      const { sys } = tool;
      const hop = state.hops[state.shown];
      if (hop === undefined) return 0;
      // Debian's has all probes of a hop under way at once.
      const wait = hop === null ? state.patience * (tool.flavour === 'gnu' ? 1 : state.probes) : 0;
      if (sys.now < state.nextAt + wait) return { type: 'wait', until: state.nextAt + wait };
      tool.out(`${String(state.shown + 1).padStart(2)}  ${lineOf(tool, state, hop)}\n`);
      state.shown++;
      state.nextAt = sys.now;
      return { type: 'yield' };
    },
  },
  { usage: '[-46FIlnrTUv] [-f FIRST] [-m MAXTTL] [-q PROBES] [-p PORT] [-w SEC] HOST [BYTES]', usageCode: 2 },
);

function readNumber(text: Bytes, most: number, what: string): number {
  if (!/^\d+$/.test(text) || Number(text) < 1 || Number(text) > most) throw new ToolFailure(`${what}: '${text}'`, 2);
  return Number(text);
}

function hopsTo(sys: Syscalls, address: string, most: number): (string | null)[] {
  const own = sys.interfaces().flatMap(({ addresses }) => addresses.map((one) => one.split('/')[0]!));
  if (own.includes(address) || address.startsWith('127.')) return [address];
  const silent = Array.from({ length: most }, () => null);
  const family = address.includes(':') ? '6' : undefined;
  const gateway = sys.routes(family).find(({ destination }) => destination === 'default')?.gateway;
  if (gateway === undefined) return sys.echo(address) ? [address] : silent;
  if (address === gateway) return [gateway];
  if (!sys.echo(address)) return [gateway, ...silent.slice(1)];
  if (family === '6') return [gateway, address].slice(0, most);
  return [gateway, ...(isNear(sys, address) ? [] : [null]), address].slice(0, most);
}

/** Whether the address is in a range of one of the machine's own routes: then no other node is between. */
function isNear(sys: Syscalls, address: string): boolean {
  return sys.routes().some(({ destination }) => destination !== 'default' && contains(destination, address));
}

function contains(range: string, address: string): boolean {
  const [network = '', length = '32'] = range.split('/');
  const unit = 2 ** (32 - Number(length));
  return Math.floor(numberOf(network) / unit) === Math.floor(numberOf(address) / unit);
}

const numberOf = (address: string): number => address.split('.').reduce((total, part) => total * 256 + Number(part), 0);

function lineOf(tool: FilterContext, { probes, isNumeric }: TraceState, hop: string | null): Bytes {
  const isGnu = tool.flavour === 'gnu';
  if (hop === null) return Array.from({ length: probes }, () => '*').join(isGnu ? ' ' : '  ');
  const times = Array.from({ length: probes }, () => `${(0.005 + tool.sys.random() * 0.04).toFixed(3)} ms`);
  return [isNumeric ? hop : `${hop} (${hop})`, ...times].join('  ');
}
