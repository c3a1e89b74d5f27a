import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { type ErrorCode, SystemError } from '../../../../engine/kernel/errno.js';
import type { Wait } from '../../../../engine/kernel/process/program.js';
import { lookUp } from '../../../servers/lookup.js';
import { exitCodeOf, findCommand } from '../../framework/command.js';
import type { FilterContext } from '../../framework/filter.js';
import { parseOptions } from '../../framework/options.js';
import { defineSteps, type Steps } from '../../framework/steps.js';
import { strerror, ToolFailure, UsageFailure } from '../../framework/tool.js';

type NcState = {
  host: Bytes;
  address: string;
  ports: number[];
  protocol: 'tcp' | 'udp';
  isScan: boolean;
  isVerbose: boolean;
  staysOpen: boolean;
  /** ms; 0: none. */
  timeout: number;
  until: number;
  /** When a connection on which nothing passes ends; 0: not begun. */
  idleAt: number;
  listener: number;
  socket: number;
  isConnected: boolean;
  toSocket: Bytes;
  inputEnded: boolean;
  /** After the end of input: -1 for ever. */
  quitAfter: number;
  command: Bytes[];
  code: number;
};

const GNU_OPTIONS = [
  'z',
  'v',
  'n',
  'w:',
  'l',
  'p:',
  'u',
  'k',
  'N',
  'q:',
  '4',
  '6',
  's:',
  'i:',
  'D',
  'C',
  't',
  'd',
  'e:',
  'c:',
];
const BUSYBOX_OPTIONS = ['z', 'v', 'n', 'w:', 'l', 'p:', 'u', 'k', 'e:', 's:', 'i:'];
const SERVICES: Readonly<Record<number, string>> = {
  22: 'ssh',
  53: 'domain',
  80: 'http',
  443: 'https',
  3306: 'mysql',
  5432: 'postgresql',
  6379: 'redis',
};

/** netcat-openbsd and busybox' nc. */
const STEPS: Steps<NcState> = {
  start(tool) {
    const execAt = tool.flavour === 'busybox' ? tool.args.indexOf('-e') : -1;
    const args = execAt < 0 ? tool.args : tool.args.slice(0, execAt);
    const command = execAt < 0 ? [] : tool.args.slice(execAt + 1);
    const options = parseOptions({ ...tool, args }, tool.flavour === 'gnu' ? GNU_OPTIONS : BUSYBOX_OPTIONS);
    const state: NcState = {
      ...{ host: '', address: '', ports: [], protocol: options.has('u') ? 'udp' : 'tcp', isScan: options.has('z') },
      ...{ isVerbose: options.has('v'), staysOpen: options.has('k'), timeout: Number(options.value('w') ?? 0) * 1_000 },
      ...{
        until: 0,
        idleAt: 0,
        listener: -1,
        socket: -1,
        isConnected: false,
        toSocket: '',
        inputEnded: false,
        command,
        code: 0,
      },
      quitAfter: options.has('N') ? 0 : Number(options.value('q') ?? -1),
    };
    if (options.has('l')) return listen(tool, state, options.value('p') ?? options.operands.at(-1));
    const [host, portText] = options.operands;
    if (host === undefined || portText === undefined) {
      if (tool.flavour === 'busybox') throw new UsageFailure('');
      tool.err('usage: nc [-46CDdFhklNnrStUuvZz] [-I length] [-i interval] [-M ttl]\n\t  [destination] [port]\n');
      return 1;
    }
    state.ports = readPorts(portText);
    const { addresses } = lookUp(tool.sys, host, options.has('6') ? '6' : options.has('4') ? '4' : undefined);
    if (addresses[0] === undefined) {
      if (tool.flavour === 'busybox') throw new ToolFailure(`bad address '${host}'`);
      tool.err(`nc: getaddrinfo for host "${host}" port ${portText}: Name or service not known\n`);
      return 1;
    }
    return { ...state, host, address: addresses[0] };
  },
  step(tool, state) {
    if (state.socket < 0) {
      if (state.listener >= 0) {
        const accepted = tool.sys.accept(state.listener);
        if (accepted === undefined) return { type: 'wait', readable: [state.listener] };
        if (state.isVerbose) tool.err(`Connection received on ${accepted.address} ${accepted.port}\n`);
        Object.assign(state, { socket: accepted.descriptor, isConnected: true });
        if (!state.staysOpen) {
          tool.sys.close(state.listener);
          state.listener = -1;
        }
      } else {
        const port = state.ports[0];
        if (port === undefined) return state.code;
        state.socket = tool.sys.connect(state.address, port, state.protocol);
        state.until = state.timeout > 0 ? tool.sys.now + state.timeout : 0;
      }
    }
    return state.isConnected ? relay(tool, state) : connect(tool, state);
  },
};
export const nc = defineSteps<NcState>(STEPS);

/** nmap's, with words for its options. Left out: TLS, proxies, access lists. */
export const ncat = defineSteps<NcState>({
  start(tool) {
    const { args, command, onlyReceives } = readNcat(tool.args);
    const state = STEPS.start({ ...tool, args });
    if (typeof state === 'number') return state;
    return { ...state, command, inputEnded: onlyReceives || state.inputEnded };
  },
  step: (tool, state) => STEPS.step(tool, state),
});

const NCAT_WORDS: Readonly<Record<string, Bytes>> = {
  '--listen': '-l',
  '--keep-open': '-k',
  '--udp': '-u',
  '--verbose': '-v',
  '--nodns': '-n',
};

function readNcat(words: readonly Bytes[]): { args: Bytes[]; command: Bytes[]; onlyReceives: boolean } {
  const args: Bytes[] = [];
  let command: Bytes[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (word === '-c' || word === '--sh-exec') command = ['/bin/sh', '-c', words[++i] ?? ''];
    else if (word === '-e' || word === '--exec') command = (words[++i] ?? '').split(' ').filter(Boolean);
    else if (word === '-m') i++;
    else if (!/^--(?:send-only|recv-only|max-conns(?:=.*)?)$/.test(word)) args.push(NCAT_WORDS[word] ?? word);
  }
  return { args, command, onlyReceives: words.includes('--recv-only') };
}

function readPorts(text: Bytes): number[] {
  const [, first, last] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  if (first === undefined || Number(first) > 65_535) throw new ToolFailure(`port number invalid: ${text}`);
  const end = Math.min(Number(last ?? first), 65_535, Number(first) + 1_023);
  return Array.from({ length: Math.max(1, end - Number(first) + 1) }, (_, i) => Number(first) + i);
}

function listen(tool: FilterContext, state: NcState, portText: Bytes | undefined): NcState {
  const [port] = portText === undefined ? [0] : readPorts(portText);
  try {
    state.listener = tool.sys.listen(port!, { protocol: state.protocol });
  } catch (error) {
    throw new ToolFailure(tool.flavour === 'gnu' ? strerror(error) : `bind: ${strerror(error)}`);
  }
  if (state.isVerbose)
    tool.err(tool.flavour === 'gnu' ? `Listening on 0.0.0.0 ${port}\n` : `listening on 0.0.0.0:${port} ...\n`);
  return state;
}

function connectError(tool: FilterContext, descriptor: number): ErrorCode | undefined {
  try {
    return tool.sys.connectError(descriptor);
  } catch (error) {
    if (error instanceof SystemError) return error.code;
    throw error;
  }
}

function connect(tool: FilterContext, state: NcState): number | Wait {
  const { sys } = tool;
  const code = connectError(tool, state.socket);
  const port = state.ports[0]!;
  if (code === 'EAGAIN') {
    if (state.until === 0) return { type: 'wait', writable: [state.socket] };
    if (sys.now < state.until) return { type: 'wait', writable: [state.socket], until: state.until };
  }
  if (code !== undefined) {
    const reason =
      code === 'EAGAIN'
        ? tool.flavour === 'gnu'
          ? 'Connection timed out'
          : 'Operation timed out'
        : new SystemError(code).message;
    if (state.isVerbose || tool.flavour === 'busybox') {
      const shown = state.host === state.address ? '' : ` (${state.address})`;
      tool.err(
        tool.flavour === 'gnu'
          ? `nc: connect to ${state.host}${shown} port ${port} (${state.protocol}) failed: ${reason}\n`
          : state.isVerbose || !state.isScan
            ? `nc: ${state.host} (${state.address}:${port}): ${reason}\n`
            : '',
      );
    }
    return nextPort(tool, state, 1);
  }
  state.isConnected = true;
  if (state.isVerbose) {
    const service = SERVICES[port] ?? '*';
    const shown = state.host === state.address ? '' : ` (${state.address})`;
    tool.err(
      tool.flavour === 'gnu'
        ? `Connection to ${state.host}${shown} ${port} port [${state.protocol}/${service}] succeeded!\n`
        : `${state.host} (${state.address}:${port}) open\n`,
    );
  }
  return state.isScan ? nextPort(tool, state, 0) : relay(tool, state);
}

function nextPort(tool: FilterContext, state: NcState, code: number): number | Wait {
  tool.sys.close(state.socket);
  Object.assign(state, {
    socket: -1,
    isConnected: false,
    code: state.ports.length === 1 && state.code === 0 ? code : code,
  });
  state.ports.shift();
  return state.ports.length === 0 ? state.code : { type: 'yield' };
}

/** Copies both ways, until the peer has ended. */
function relay(tool: FilterContext, state: NcState): number | Wait {
  const { sys } = tool;
  if (state.command.length > 0) return handOver(tool, state);
  let isIdle = state.idleAt > 0;
  try {
    while (!state.inputEnded && state.toSocket.length < 65_536) {
      const bytes = sys.read(0, 65_536);
      if (bytes === undefined) break;
      isIdle = false;
      if (bytes === '') {
        state.inputEnded = true;
        state.until = state.quitAfter >= 0 ? sys.now + state.quitAfter * 1_000 : 0;
      }
      state.toSocket += bytes;
    }
    if (state.toSocket !== '') state.toSocket = state.toSocket.slice(sys.write(state.socket, state.toSocket));
    if (state.inputEnded && state.toSocket === '' && state.protocol === 'tcp') sys.shutdown(state.socket);
    for (let bytes = sys.read(state.socket, 65_536); bytes !== undefined; bytes = sys.read(state.socket, 65_536)) {
      if (bytes === '') return endConnection(tool, state);
      isIdle = false;
      tool.out(bytes);
    }
  } catch (error) {
    strerror(error);
    return endConnection(tool, state);
  }
  if (state.inputEnded && state.quitAfter >= 0 && sys.now >= state.until) return 0;
  const timeout = idleTimeout(tool, state);
  if (!isIdle) state.idleAt = sys.now + timeout;
  else if (timeout > 0 && sys.now >= state.idleAt) return endConnection(tool, state);
  const idle = state.inputEnded && state.quitAfter >= 0 ? state.until : timeout > 0 ? state.idleAt : 0;
  return {
    type: 'wait',
    readable: state.inputEnded ? [state.socket] : [0, state.socket],
    ...(state.toSocket !== '' && { writable: [state.socket] }),
    ...(idle > 0 && { until: idle }),
  };
}

/** ms without a byte after which it ends; 0: none. Busybox' counts from the end of its input, and tries twice. */
function idleTimeout(tool: FilterContext, { timeout, inputEnded }: NcState): number {
  if (tool.flavour === 'gnu') return timeout;
  return inputEnded ? 2 * timeout : 0;
}

function endConnection(tool: FilterContext, state: NcState): number | Wait {
  tool.sys.close(state.socket);
  Object.assign(state, { socket: -1, isConnected: false });
  return state.listener >= 0 ? { type: 'yield' } : 0;
}

/**
 * `nc -e COMMAND`: the connection is the command's standard input and output. With `-lk` each connection has a command
 * of its own, as in inetd.
 */
function handOver(tool: FilterContext, state: NcState): number | Wait {
  const { sys } = tool;
  try {
    if (state.listener >= 0) {
      const path = findCommand(sys, state.command[0]!);
      sys.handleSignal('CHLD', 'ignore');
      sys.spawn({ path, argv: state.command, descriptors: { 0: state.socket, 1: state.socket, 2: 2 } });
      return endConnection(tool, state);
    }
    sys.duplicate(state.socket, 0);
    sys.duplicate(state.socket, 1);
    sys.exec(findCommand(sys, state.command[0]!), state.command);
    return { type: 'exec' };
  } catch (error) {
    tool.warn(`can't execute '${state.command[0]}': ${strerror(error)}`);
    return exitCodeOf(error);
  }
}
