import { makeContext } from '../../framework/context.js';
import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import { exit, type Program, type Wait, YIELD } from '../../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { parseSize } from '../../format.js';
import { parseOptions, quoteName } from '../../framework/options.js';
import { flushOutput, type Output } from '../../framework/output.js';
import {
  explainFailure,
  failWrite,
  type Flavour,
  strerror,
  type Tool,
  type ToolContext,
  ToolFailure,
  type ToolSettings,
} from '../../framework/tool.js';
import { BLOCKS, printHeader, translateOldCounts } from './head.js';

type Followed = { path: Bytes; descriptor: number; inode: number; size: number };
type State = {
  argv: Bytes[];
  phase: 'start' | 'read' | 'follow';
  files: Bytes[];
  index: number;
  descriptor: number;
  unit: 'lines' | 'bytes';
  fromStart: boolean;
  count: number;
  /** Of `fromStart`: what is still to be skipped. Else the bytes that may be among the last. */
  left: number;
  held: Bytes;
  /** Bytes of a line without end that are counted, and not held. */
  beyond: number;
  follow: 'none' | 'descriptor' | 'name';
  interval: number;
  headers: boolean;
  hasPrinted: boolean;
  shown: Bytes;
  followed: Followed[];
  failure: number;
  output: Output;
  code: number | null;
};

const OPTIONS = [
  ...[
    'c,bytes:',
    'n,lines:',
    'q,quiet,silent',
    'v,verbose',
    'f',
    'follow::',
    'F',
    's,sleep-interval:',
    'pid:',
    'retry',
  ],
  ...['z,zero-terminated', 'max-unchanged-stats:'],
];
const SETTINGS: ToolSettings = { usage: '[OPTION]... [FILE]...' };
/** Bytes of input that are kept for the last lines. */
const MAX_HELD = 16 << 20;
/** Chunks in one step. */
const MAX_TURNS = 16;

export const tail: Tool = makeTail('gnu');

function makeTail(flavour: Flavour): Tool {
  const program: Program<State> = {
    start: (argv) => ({
      ...{ argv: [...argv], phase: 'start', files: [], index: -1, descriptor: -1, unit: 'lines', fromStart: false },
      ...{
        count: 10,
        left: 0,
        held: '',
        beyond: 0,
        follow: 'none',
        interval: 1_000,
        headers: false,
        hasPrinted: false,
        shown: '',
      },
      ...{ followed: [], failure: 0, output: [], code: null },
    }),
    step(state, sys) {
      const tool = contextOf(state, sys, flavour);
      try {
        for (let turns = 0; turns < MAX_TURNS; turns++) {
          const blocked = flushOutput(state.output, sys);
          if (blocked !== undefined) return blocked;
          if (state.code !== null) return exit(state.code);
          const wait = advance(tool, state);
          if (wait !== undefined) return flushOutput(state.output, sys) ?? wait;
        }
        sys.setMemory(state.held.length + state.beyond);
        return YIELD;
      } catch (error) {
        return failWrite(state, tool.name, error);
      }
    },
  };
  return { ...(program as unknown as Program), as: makeTail };
}

function contextOf(state: State, sys: Syscalls, flavour: Flavour): ToolContext {
  const neverAsked = () => {
    throw new SystemError('EINVAL');
  };
  return { ...makeContext(state, sys, SETTINGS, flavour), stdin: neverAsked, input: neverAsked };
}

function advance(tool: ToolContext, state: State): Wait | undefined {
  try {
    if (state.phase === 'start') readCommandLine(tool, state);
    else if (state.phase === 'follow') return followOn(tool, state);
    else if (state.descriptor < 0) openNext(tool, state);
    else return readOn(tool, state);
  } catch (error) {
    state.code = explainFailure(tool, error);
  }
  return undefined;
}

function readCommandLine(tool: ToolContext, state: State): void {
  const args = translateOldCounts(tool.args, 'n').map((word, i) =>
    i === 0 && /^\+\d+$/.test(word) ? `-n${word}` : word,
  );
  const options = parseOptions({ ...tool, args }, OPTIONS);
  state.phase = 'read';
  state.files = options.operands.length === 0 ? ['-'] : [...options.operands];
  state.unit = options.last('c', 'n') === 'c' ? 'bytes' : 'lines';
  const text = options.value(state.unit === 'bytes' ? 'c' : 'n') ?? '10';
  const count = parseSize(text.replace(/^[-+]/, ''), BLOCKS);
  if (count === undefined) {
    throw new ToolFailure(
      tool.flavour === 'gnu' ? `invalid number of ${state.unit}: ${quoteName(text)}` : `invalid number '${text}'`,
    );
  }
  state.count = count;
  state.fromStart = text.startsWith('+');
  state.headers = options.has('v') || (state.files.length > 1 && !options.has('q'));
  if (options.has('f', 'follow', 'F'))
    state.follow = options.has('F') || options.value('follow') === 'name' ? 'name' : 'descriptor';
  state.interval = Math.max(1, Number(options.value('s') ?? 1) * 1_000);
}

function openNext(tool: ToolContext, state: State): void {
  const path = state.files[++state.index];
  if (path === undefined) {
    const canFollow = state.followed.length > 0 || state.follow === 'name';
    if (state.follow !== 'none' && canFollow) state.phase = 'follow';
    else state.code = state.failure;
    if (state.follow !== 'none' && !canFollow && state.failure !== 0) tool.warn('no files remaining');
    return;
  }
  try {
    state.descriptor = path === '-' ? 0 : tool.sys.open(path, { read: true });
    if (tool.sys.fstat(state.descriptor).type === 'directory') throw new SystemError('EISDIR');
  } catch (error) {
    refuse(tool, state, path, error);
    return;
  }
  state.held = '';
  state.left = Math.max(0, state.count - 1);
  if (state.headers) printHeader(tool, state, path);
  state.shown = path;
}

function refuse(tool: ToolContext, state: State, path: Bytes, error: unknown): void {
  const message = strerror(error);
  const gnu =
    message === 'Is a directory'
      ? `error reading ${quoteName(path)}: ${message}`
      : `cannot open ${quoteName(path)} for reading: ${message}`;
  tool.warn(
    tool.flavour === 'gnu'
      ? gnu
      : message === 'Is a directory'
        ? `${path}: ${message}`
        : `can't open '${path}': ${message}`,
  );
  state.failure = 1;
  state.descriptor = -1;
  if (state.follow === 'name') state.followed.push({ path, descriptor: -1, inode: -1, size: 0 });
}

function readOn(tool: ToolContext, state: State): Wait | undefined {
  const { sys } = tool;
  const chunk = sys.read(state.descriptor, 65_536);
  if (chunk === undefined) return { type: 'wait', readable: [state.descriptor] };
  // What is only counted is not looked through.
  sys.charge(1 + (chunk.length >> (state.beyond > 0 ? 9 : 4)));
  if (chunk === '') endFile(tool, state);
  else if (state.fromStart) skipThenPrint(tool, state, chunk);
  else hold(tool, state, chunk);
  return undefined;
}

function skipThenPrint(tool: ToolContext, state: State, chunk: Bytes): void {
  let at = 0;
  if (state.unit === 'bytes') at = Math.min(state.left, chunk.length);
  else {
    for (let lines = state.left; lines > 0; lines--) {
      const end = chunk.indexOf('\n', at);
      at = end < 0 ? chunk.length : end + 1;
      if (end < 0) break;
      state.left--;
    }
  }
  if (state.unit === 'bytes') state.left -= at;
  tool.out(chunk.slice(at));
}

function hold({ sys }: ToolContext, state: State, chunk: Bytes): void {
  if (state.beyond > 0) return void (state.beyond += chunk.length);
  const before = state.held.length;
  state.held += chunk;
  const { length } = state.held;
  // What has become too long is cut whenever it has doubled: looking through it at each chunk takes the square of it.
  if (length < 1 << 20 || Math.clz32(before) === Math.clz32(length)) return;
  state.held = lastPart(state, state.held);
  if (state.held.length <= MAX_HELD) return;
  // The kernel ends who takes more than its limit; without one there is more memory than is simulated.
  if (sys.cgroup().memoryLimit === undefined) throw new ToolFailure('memory exhausted');
  state.beyond = chunk.length;
}

function lastPart({ unit, count }: State, text: Bytes): Bytes {
  if (unit === 'bytes') return count === 0 ? '' : text.slice(-count);
  if (count === 0) return '';
  let cut = text.endsWith('\n') ? text.length - 1 : text.length;
  for (let lines = 0; lines < count; lines++) {
    if (cut === 0) return text;
    cut = text.lastIndexOf('\n', cut - 1);
    if (cut < 0) return text;
  }
  return text.slice(cut + 1);
}

function endFile(tool: ToolContext, state: State): void {
  const { sys } = tool;
  if (state.beyond > 0) throw new ToolFailure('memory exhausted');
  if (!state.fromStart) tool.out(lastPart(state, state.held));
  state.held = '';
  const stat = sys.fstat(state.descriptor);
  const path = state.files[state.index]!;
  if (state.follow !== 'none' && stat.type !== 'fifo') {
    state.followed.push({ path, descriptor: state.descriptor, inode: stat.inode, size: stat.size });
  } else if (state.descriptor > 0) sys.close(state.descriptor);
  state.descriptor = -1;
}

/** Looks for more, then sleeps. Devices never have more, so that following /dev/null sleeps for good. */
function followOn(tool: ToolContext, state: State): Wait {
  const { sys } = tool;
  for (const file of state.followed) {
    if (state.follow === 'name') reopen(tool, state, file);
    if (file.descriptor < 0) continue;
    const { size } = sys.fstat(file.descriptor);
    if (size < file.size) {
      tool.warn(`${file.path}: file truncated`);
      sys.seek(file.descriptor, 0, 'start');
    }
    file.size = size;
    for (
      let chunk = sys.read(file.descriptor);
      chunk !== undefined && chunk !== '';
      chunk = sys.read(file.descriptor)
    ) {
      if (state.headers && state.shown !== file.path) printHeader(tool, state, file.path);
      state.shown = file.path;
      tool.out(chunk);
    }
  }
  const canGrow =
    state.follow === 'name' || state.followed.some(({ descriptor }) => sys.fstat(descriptor).type === 'file');
  return canGrow ? { type: 'wait', until: sys.now + state.interval } : { type: 'wait' };
}

/** `-F`: the name may mean another file by now. */
function reopen(tool: ToolContext, state: State, file: Followed): void {
  const { sys } = tool;
  let inode: number;
  try {
    inode = sys.stat(file.path).inode;
  } catch (error) {
    if (file.descriptor >= 0) {
      tool.warn(`${quoteName(file.path)} has become inaccessible: ${strerror(error)}`);
      sys.close(file.descriptor);
    }
    Object.assign(file, { descriptor: -1, inode: -1, size: 0 });
    return;
  }
  if (inode === file.inode) return;
  const isNew = file.descriptor < 0;
  if (!isNew) sys.close(file.descriptor);
  const what = isNew ? 'has appeared' : 'has been replaced';
  tool.warn(`${quoteName(file.path)} ${what};  following new file`);
  Object.assign(file, { descriptor: sys.open(file.path, { read: true }), inode, size: 0 });
}
