import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import type { Wait } from '../../../../engine/kernel/process/program.js';
import { lookUp, lookupError } from '../../../servers/lookup.js';
import type { FilterContext } from '../../framework/filter.js';
import { parseOptions } from '../../framework/options.js';
import { defineSteps } from '../../framework/steps.js';
import { ToolFailure, UsageFailure } from '../../framework/tool.js';

type TelnetState = {
  host: Bytes;
  address: string;
  socket: number;
  isConnected: boolean;
  toSocket: Bytes;
};

const CHUNK = 65_536;

/** The client of inetutils and of busybox, for a server that negotiates nothing. */
export const telnet = defineSteps<TelnetState>(
  {
    start(tool) {
      const isGnu = tool.flavour === 'gnu';
      const [host, port = '23', extra] = parseOptions(tool, []).operands;
      if (host === undefined && isGnu) throw new ToolFailure('the interactive mode is not simulated here');
      if (host === undefined || extra !== undefined) throw new UsageFailure('');
      if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
        throw new ToolFailure(isGnu ? `bad port ${port}` : `bad port '${port}'`);
      const found = lookUp(tool.sys, host);
      const [address] = found.addresses;
      if (address === undefined) {
        if (!isGnu) throw new ToolFailure(`bad address '${host}'`);
        throw new ToolFailure(`could not resolve ${host}/${port}: ${lookupError(tool.sys, found)}`);
      }
      if (isGnu) tool.out(`Trying ${address}...\n`);
      const socket = tool.sys.connect(address, Number(port), 'tcp');
      return { host, address, socket, isConnected: false, toSocket: '' };
    },
    step(tool, state) {
      const waiting = state.isConnected ? undefined : connect(tool, state);
      return waiting ?? relay(tool, state);
    },
  },
  { usage: 'HOST [PORT]' },
);

function connect(tool: FilterContext, state: TelnetState): number | Wait | undefined {
  const isGnu = tool.flavour === 'gnu';
  try {
    const code = tool.sys.connectError(state.socket);
    if (code === 'EAGAIN') return { type: 'wait', writable: [state.socket] };
    if (code !== undefined) throw new SystemError(code);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    if (error.code === 'EAGAIN') return { type: 'wait', writable: [state.socket] };
    const gnu = `Unable to connect to remote host: ${error.message}`;
    tool.warn(isGnu ? gnu : `can't connect to remote host (${state.address}): ${error.message}`);
    return 1;
  }
  state.isConnected = true;
  tool.out(isGnu ? `Connected to ${state.host}.\nEscape character is '^]'.\n` : `Connected to ${state.host}\n`);
  return undefined;
}

/** Copies both ways until one side ends: its own end is a success. */
function relay(tool: FilterContext, state: TelnetState): number | Wait {
  const { sys } = tool;
  try {
    for (let bytes = sys.read(state.socket, CHUNK); bytes !== undefined; bytes = sys.read(state.socket, CHUNK)) {
      if (bytes === '') return endByPeer(tool);
      tool.out(bytes);
    }
    while (state.toSocket.length < CHUNK) {
      const bytes = sys.read(0, CHUNK);
      if (bytes === undefined) break;
      if (bytes === '') return tool.flavour === 'gnu' ? endByPeer(tool) : 0;
      state.toSocket += bytes.replaceAll('\n', '\r\n');
    }
    if (state.toSocket !== '') state.toSocket = state.toSocket.slice(sys.write(state.socket, state.toSocket));
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    return endByPeer(tool);
  }
  const unsent = state.toSocket !== '' && { writable: [state.socket] };
  return { type: 'wait', readable: [0, state.socket], ...unsent };
}

function endByPeer(tool: FilterContext): number {
  tool.err(tool.flavour === 'gnu' ? 'Connection closed by foreign host.\n' : 'Connection closed by foreign host\r\n');
  return 1;
}
