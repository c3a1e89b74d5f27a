import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { defineFilter, type FilterContext } from '../../framework/filter.js';
import { parseSize } from '../../format.js';
import { parseOptions, quoteName } from '../../framework/options.js';
import { strerror, type ToolContext, ToolFailure } from '../../framework/tool.js';

type State = {
  unit: 'lines' | 'bytes';
  /** Negative: all but the last so many. */
  count: number;
  left: number;
  held: Bytes[];
  headers: boolean;
  hasPrinted: boolean;
  ending: Bytes;
};

const OPTIONS = ['c,bytes:', 'n,lines:', 'q,quiet,silent', 'v,verbose', 'z,zero-terminated'];
/** Of `head -c 1b`. */
export const BLOCKS = { b: 512 };

export const head = defineFilter<State>(
  {
    unit: 'chunk',
    start(tool) {
      const options = parseOptions({ ...tool, args: translateOldCounts(tool.args, 'n') }, OPTIONS);
      const unit = options.last('c', 'n') === 'c' ? 'bytes' : 'lines';
      const text = options.value(unit === 'bytes' ? 'c' : 'n') ?? '10';
      const size = parseSize(text.replace(/^[-+]/, ''), BLOCKS);
      if (size === undefined) throw new ToolFailure(explainCount(tool, unit, text));
      const headers = options.has('v') || (options.operands.length > 1 && !options.has('q'));
      const count = text.startsWith('-') ? -size : size;
      const ending = options.has('z') ? '\0' : '\n';
      const state: State = { unit, count, left: 0, held: [], headers, hasPrinted: false, ending };
      return { files: options.operands, state };
    },
    open(tool, state, path) {
      state.left = state.count;
      state.held = [];
      if (state.headers) printHeader(tool, state, path);
      if (state.count === 0 && !Object.is(state.count, -0)) return false;
    },
    fail(tool, _state, path, error) {
      const message = strerror(error);
      if (tool.flavour === 'busybox') tool.warn(`${path}: ${message}`);
      else if (message === 'Is a directory') tool.warn(`error reading ${quoteName(path)}: ${message}`);
      else tool.warn(`cannot open ${quoteName(path)} for reading: ${message}`);
      return 1;
    },
    take(tool, state, chunk) {
      if (state.count < 0 || Object.is(state.count, -0)) return holdBack(tool, state, chunk);
      return state.unit === 'bytes' ? takeBytes(tool, state, chunk) : takeLines(tool, state, chunk);
    },
  },
  { usage: '[OPTION]... [FILE]...' },
);

const explainCount = (tool: FilterContext, unit: string, text: Bytes) =>
  tool.flavour === 'busybox' ? `invalid number '${text}'` : `invalid number of ${unit}: ${quoteName(text)}`;

/** `head -5` and `tail -5` are `-n 5`, when they come first. */
export function translateOldCounts(args: readonly Bytes[], letter: string): Bytes[] {
  const [, digits, flags] = /^-(\d+)([fqv]*)$/.exec(args[0] ?? '') ?? [];
  if (digits === undefined) return [...args];
  return [`-${letter}`, digits, ...(flags === '' ? [] : [`-${flags}`]), ...args.slice(1)];
}

export function printHeader(
  tool: Pick<ToolContext, 'out'>,
  state: { hasPrinted: boolean },
  path: Bytes,
  name = path === '-' ? 'standard input' : path,
): void {
  tool.out(`${state.hasPrinted ? '\n' : ''}==> ${name} <==\n`);
  state.hasPrinted = true;
}

function takeBytes(tool: FilterContext, state: State, chunk: Bytes): 'next' | undefined {
  tool.out(chunk.slice(0, state.left));
  state.left -= Math.min(chunk.length, state.left);
  return state.left === 0 ? 'next' : undefined;
}

function takeLines(tool: FilterContext, state: State, chunk: Bytes): 'next' | undefined {
  let at = 0;
  while (state.left > 0) {
    const end = chunk.indexOf(state.ending, at);
    if (end < 0) {
      tool.out(chunk.slice(at));
      return undefined;
    }
    state.left--;
    tool.out(chunk.slice(at, end + 1));
    at = end + 1;
  }
  return 'next';
}

/** Prints what cannot be among the last lines or bytes any more. */
function holdBack(tool: FilterContext, state: State, chunk: Bytes): undefined {
  const kept = -state.count;
  const text = (state.held[0] ?? '') + chunk;
  let cut = text.length - kept;
  if (state.unit === 'lines') {
    cut = text.length;
    let from = text.endsWith(state.ending) ? text.length - 1 : text.length;
    for (let lines = 0; lines < kept && cut > 0; lines++) {
      cut = text.lastIndexOf(state.ending, from - 1) + 1;
      if (from === 0) cut = 0;
      from = cut - 1;
    }
  }
  tool.out(text.slice(0, Math.max(0, cut)));
  state.held = [text.slice(Math.max(0, cut))];
}
