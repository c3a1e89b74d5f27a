import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Packet } from '../../../../engine/kernel/capture/packet.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import type { FilterContext } from '../../framework/filter.js';
import { parseOptions, type Options } from '../../framework/options.js';
import { defineSteps } from '../../framework/steps.js';
import { ToolFailure } from '../../framework/tool.js';
import { FilterError, parseFilter, type PacketFilter } from './filter-expression.js';
import { printPacket, type Flow } from './print-packet.js';

type TcpdumpState = {
  socket: number;
  device: string;
  expression: Bytes[];
  /** -1: until it is interrupted. */
  count: number;
  isNumeric: boolean;
  times: number;
  isQuick: boolean;
  captured: number;
  flows: Record<string, Flow>;
};

const OPTIONS = [
  ...['i,interface:', 'c:', 'n', 't', 'q', 'v', 'l,immediate-mode', 'U', 'e', 'p', 'K', 'S', 's,snapshot-length:'],
  ...['D,list-interfaces', 'w:', 'r:', 'A', 'x', 'X', 'XX', 'Z:', 'y:', 'B:', 'Q,direction:', 'version', 'h,help'],
];
/** What has to do with the bytes of packets, of which there are none here. */
const UNSIMULATED = ['w', 'r', 'A', 'x', 'X', 'e', 'Q'];
const VERSION = 'tcpdump version 4.99.5\nlibpcap version 1.10.5 (with TPACKET_V3)\n';
const BY_ONE_STEP = 100;

/**
 * Shows the packets of the machine: those of its own network namespace. Models tcpdump. Left out: files, contents, and
 * on a node what passes it for others.
 */
export const tcpdump = defineSteps<TcpdumpState>({
  start(tool) {
    const options = parseOptions(tool, OPTIONS);
    if (options.has('version')) {
      tool.out(VERSION);
      return 0;
    }
    if (options.has('D')) {
      tool.out(listDevices(tool));
      return 0;
    }
    for (const letter of UNSIMULATED)
      if (options.has(letter)) throw new ToolFailure(`-${letter} is not simulated here`);
    return begin(tool, options);
  },
  step(tool, state) {
    const { sys } = tool;
    const accepts = accepting(state);
    for (let i = 0; i < BY_ONE_STEP; i++) {
      if (state.count >= 0 && state.captured >= state.count) return finish(tool, state, '');
      const text = sys.read(state.socket);
      if (text === undefined || text === '') break;
      sys.charge(10);
      const packet = JSON.parse(text) as Packet;
      if (!accepts(packet)) continue;
      state.captured++;
      tool.out(printPacket(packet, state.flows, { ...state, isAny: state.device === 'any' }));
    }
    if (sys.takeSignal() !== undefined) return finish(tool, state, '\n');
    return { type: 'wait', readable: [state.socket] };
  },
});

function begin(tool: FilterContext, options: Options): TcpdumpState {
  const { sys } = tool;
  const names = sys.interfaces().map(({ name }) => name);
  const device = options.value('i') ?? names.find((name) => name !== 'lo') ?? 'lo';
  const count = options.value('c') ?? '-1';
  if (!/^-?\d{1,9}$/.test(count) || count === '0') throw new ToolFailure(`invalid packet count ${count}`);
  if (device !== 'any' && !names.includes(device))
    throw new ToolFailure(`${device}: No such device exists\n(No such device exists)`);
  try {
    parseFilter(options.operands);
  } catch (error) {
    if (error instanceof FilterError) throw new ToolFailure(error.message);
    throw error;
  }
  const socket = openSocket(tool, device);
  sys.handleSignal('INT', 'catch');
  sys.handleSignal('TERM', 'catch');
  if (device === 'any') tool.err(`${tool.name}: data link type LINUX_SLL2\n`);
  const verbose = options.has('v')
    ? ''
    : `${tool.name}: verbose output suppressed, use -v[v]... for full protocol decode\n`;
  const link = device === 'any' ? 'LINUX_SLL2 (Linux cooked v2)' : 'EN10MB (Ethernet)';
  const own = options.has('v') ? `${tool.name}: ` : '';
  tool.err(`${verbose}${own}listening on ${device}, link-type ${link}, snapshot length 262144 bytes\n`);
  if (sys.tracked() !== undefined) tool.err(`${tool.name}: packets of the node's other pods are not simulated here\n`);
  const times = options.all.filter(([key]) => key === 't').length;
  return {
    ...{ socket, device, expression: [...options.operands], count: Number(count), captured: 0, flows: {} },
    ...{ isNumeric: options.has('n'), times, isQuick: options.has('q') },
  };
}

function openSocket(tool: FilterContext, device: string): number {
  try {
    return tool.sys.capture();
  } catch (error) {
    if (!(error instanceof SystemError) || error.code !== 'EPERM') throw error;
    const why = "You don't have permission to perform this capture on that device";
    throw new ToolFailure(`${device}: ${why}\n(socket: Operation not permitted)`);
  }
}

function accepting({ device, expression }: TcpdumpState): PacketFilter {
  const matches = parseFilter(expression);
  return (packet) => (device === 'any' || packet.device === device) && matches(packet);
}

function finish(tool: FilterContext, { captured, socket }: TcpdumpState, before: Bytes): number {
  const packets = (count: number): string => `${count} packet${count === 1 ? '' : 's'}`;
  const lost = tool.sys.lostPackets(socket);
  tool.err(
    `${before}${packets(captured)} captured\n${packets(captured + lost)} received by filter\n${packets(lost)} dropped by kernel\n`,
  );
  return 0;
}

function listDevices({ sys }: FilterContext): Bytes {
  const own = sys.interfaces().filter(({ name }) => name !== 'lo');
  const lines = own.map(({ name }) => `${name} [Up, Running, Connected]`);
  lines.push('any (Pseudo-device that captures on all interfaces) [Up, Running]', 'lo [Up, Running, Loopback]');
  return lines.map((line, i) => `${i + 1}.${line}\n`).join('');
}
