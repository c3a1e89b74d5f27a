import type { Bytes } from '../../../engine/kernel/bytes.js';
import { isZeros } from '../../../engine/kernel/files/content.js';
import {
  exit,
  type Plain,
  type Program,
  type Wait,
  waitToRead,
  YIELD,
} from '../../../engine/kernel/process/program.js';
import { makeContext, type FilterContext } from './context.js';
import { flushOutput, type Output } from './output.js';
import {
  explainFailure,
  failWrite,
  type Flavour,
  strerror,
  type Tool,
  ToolFailure,
  type ToolSettings,
} from './tool.js';

export type { FilterContext } from './context.js';

export interface Filter<State extends Plain> {
  /** Reads the command line. Without files it reads standard input, which '-' also is. */
  start(tool: FilterContext): { readonly files: readonly Bytes[]; readonly state: State };
  /** What `take` gets: by default lines. Chunks are what read(2) gave. */
  readonly unit?: 'line' | 'chunk';
  /** Bytes of input that it takes in a step's time: by default 8. */
  readonly bytesPerStep?: number;
  /** It passes on what it reads, or only counts it: zeros, of which binaries are made, cost it next to nothing. */
  isCheap?(state: State): boolean;
  /** Ends of lines: by default '\n'. */
  separator?(state: State): Bytes;
  /** A file is open now. False: it is not to be read. */
  open?(tool: FilterContext, state: State, path: Bytes, index: number): boolean | void;
  /** A file cannot be opened or read; prints why and says what the exit code will be. */
  fail?(tool: FilterContext, state: State, path: Bytes, error: unknown): number;
  /**
   * A line without its end. `isWhole` is false for a last one without one. A number ends the filter with this code,
   * 'next' goes on with the next file.
   */
  take(tool: FilterContext, state: State, piece: Bytes, isWhole: boolean): number | 'next' | void;
  /** After the last byte of a file. */
  close?(tool: FilterContext, state: State, path: Bytes): number | void;
  /** After the last file. By default the exit code is 0, or what `fail` said. */
  end?(tool: FilterContext, state: State, code: number): number;
}

type FilterState = {
  argv: Bytes[];
  own: Plain;
  files: Bytes[];
  index: number;
  /** Of the file that is being read; -1: none. */
  descriptor: number;
  /** The unfinished line. */
  rest: Bytes;
  failure: number;
  output: Output;
  code: number | null;
  isStarted: boolean;
};

const CHUNK = 8_192;
const MAX_LINE = 4 << 20;
const BYTES_PER_STEP = 8;
const CHEAP_BYTES_PER_STEP = 1_024;
/** Chunks in one step: sixteen thousand short lines are work enough. */
const MAX_CHUNKS = 4;

/** A tool that works on its input as it comes, line by line, also when it has no end. Its state is plain data. */
export function defineFilter<State extends Plain>(
  filter: Filter<State>,
  settings: ToolSettings = {},
  flavour: Flavour = 'gnu',
): Tool {
  const program: Program<FilterState> = {
    start: (argv) => ({
      ...{ argv: [...argv], own: null, files: [], index: -1, descriptor: -1, rest: '', failure: 0 },
      ...{ output: [], code: null, isStarted: false },
    }),
    step(state, sys) {
      const tool = makeContext(state, sys, settings, flavour);
      try {
        for (let chunks = 0; chunks < MAX_CHUNKS; chunks++) {
          const blocked = flushOutput(state.output, sys);
          if (blocked !== undefined) return blocked;
          if (state.code !== null) return exit(state.code);
          const wait = advance(filter, tool, state);
          if (wait !== undefined) return flushOutput(state.output, sys) ?? wait;
        }
        return YIELD;
      } catch (error) {
        return failWrite(state, tool.name, error);
      }
    },
  };
  return { ...(program as unknown as Program), as: (other) => defineFilter(filter, settings, other) };
}

function advance<State extends Plain>(
  filter: Filter<State>,
  tool: FilterContext,
  state: FilterState,
): Wait | undefined {
  try {
    if (!state.isStarted) begin(filter, tool, state);
    else if (state.descriptor < 0) openNext(filter, tool, state);
    else return readOn(filter, tool, state);
  } catch (error) {
    state.code = explainFailure(tool, error);
  }
  return undefined;
}

function begin<State extends Plain>(filter: Filter<State>, tool: FilterContext, state: FilterState): void {
  const started = filter.start(tool);
  state.isStarted = true;
  state.own = started.state;
  state.files = started.files.length === 0 ? ['-'] : [...started.files];
}

function openNext<State extends Plain>(filter: Filter<State>, tool: FilterContext, state: FilterState): void {
  const own = state.own as State;
  const path = state.files[++state.index];
  if (path === undefined) {
    state.code = filter.end?.(tool, own, state.failure) ?? state.failure;
    return;
  }
  try {
    const descriptor = path === '-' ? 0 : tool.sys.open(path, { read: true });
    state.descriptor = descriptor;
    if (filter.open?.(tool, own, path, state.index) === false) closeFile(tool, state);
  } catch (error) {
    refuse(filter, tool, state, path, error);
  }
}

function closeFile(tool: FilterContext, state: FilterState): void {
  if (state.descriptor > 0) tool.sys.close(state.descriptor);
  state.descriptor = -1;
  state.rest = '';
}

function refuse<State extends Plain>(
  filter: Filter<State>,
  tool: FilterContext,
  state: FilterState,
  path: Bytes,
  error: unknown,
): void {
  if (filter.fail !== undefined) state.failure = filter.fail(tool, state.own as State, path, error);
  else {
    tool.warn(openFailure(tool.flavour, path, strerror(error)));
    state.failure = 1;
  }
}

/** Why a file cannot be read, in the words of the flavour. */
export function openFailure(flavour: Flavour, path: Bytes, message: string): Bytes {
  if (flavour === 'gnu') return `${path}: ${message}`;
  return message === 'Is a directory' ? `read error: ${message}` : `can't open '${path}': ${message}`;
}

function readOn<State extends Plain>(filter: Filter<State>, tool: FilterContext, state: FilterState): Wait | undefined {
  const path = state.files[state.index]!;
  let bytes: Bytes | undefined;
  try {
    bytes = tool.sys.read(state.descriptor, CHUNK);
  } catch (error) {
    refuse(filter, tool, state, path, error);
    closeFile(tool, state);
    return undefined;
  }
  if (bytes === undefined) return waitToRead(state.descriptor);
  const isCheap = filter.isCheap?.(state.own as State) === true && isZeros(bytes);
  const taken = isCheap ? CHEAP_BYTES_PER_STEP : (filter.bytesPerStep ?? BYTES_PER_STEP);
  tool.sys.charge(1 + Math.floor(bytes.length / taken));
  if (bytes === '') endFile(filter, tool, state, path);
  else if (filter.unit === 'chunk') obey(tool, state, filter.take(tool, state.own as State, bytes, true));
  else takeLines(filter, tool, state, bytes);
  return undefined;
}

function endFile<State extends Plain>(
  filter: Filter<State>,
  tool: FilterContext,
  state: FilterState,
  path: Bytes,
): void {
  const own = state.own as State;
  const { rest } = state;
  closeFile(tool, state);
  const code = rest === '' ? undefined : filter.take(tool, own, rest, false);
  if (code === 'next') return;
  state.code = (typeof code === 'number' ? code : undefined) ?? filter.close?.(tool, own, path) ?? null;
}

function obey(tool: FilterContext, state: FilterState, answer: number | 'next' | void): void {
  if (typeof answer === 'number') state.code = answer;
  if (answer === 'next') closeFile(tool, state);
}

function takeLines<State extends Plain>(
  filter: Filter<State>,
  tool: FilterContext,
  state: FilterState,
  bytes: Bytes,
): void {
  const own = state.own as State;
  const separator = filter.separator?.(own) ?? '\n';
  const text = state.rest + bytes;
  let at = 0;
  for (let end = text.indexOf(separator, state.rest.length); end >= 0; end = text.indexOf(separator, at)) {
    const code = filter.take(tool, own, text.slice(at, end), true);
    at = end + separator.length;
    tool.sys.charge(1);
    if (code !== undefined) return obey(tool, state, code);
  }
  state.rest = text.slice(at);
  if (state.rest.length > MAX_LINE) throw new ToolFailure('memory exhausted', 2);
}
