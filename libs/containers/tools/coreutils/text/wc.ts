import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import { defineFilter, type FilterContext, openFailure } from '../../framework/filter.js';
import { parseOptions } from '../../framework/options.js';
import { strerror } from '../../framework/tool.js';

type Counts = { l: number; w: number; c: number; L: number };
type State = {
  shown: string[];
  counts: Counts;
  total: Counts;
  files: number;
  width: number;
  isInWord: boolean;
  column: number;
};

const OPTIONS = ['l,lines', 'w,words', 'c,bytes', 'm,chars', 'L,max-line-length'];
const NONE: Counts = { l: 0, w: 0, c: 0, L: 0 };

const countsBytesOnly = ({ shown }: State): boolean => shown.every((key) => key === 'c');

export const wc = defineFilter<State>(
  {
    unit: 'chunk',
    isCheap: countsBytesOnly,
    start(tool) {
      const options = parseOptions(tool, OPTIONS);
      const given = ['l', 'w', 'm', 'c', 'L'].filter((key) => options.has(key));
      const shown = given.length > 0 ? given : ['l', 'w', 'c'];
      const files = options.operands;
      const width = tool.flavour === 'busybox' ? 9 : columnWidth(tool, files, shown);
      const base = { shown, width, files: files.length, isInWord: false, column: 0 };
      return { files, state: { ...base, counts: { ...NONE }, total: { ...NONE } } };
    },
    open(_tool, state) {
      state.counts = { ...NONE };
      state.isInWord = false;
      state.column = 0;
    },
    take: (_tool, state, chunk) => count(state, chunk),
    fail(tool, state, path, error) {
      tool.warn(openFailure(tool.flavour, path, strerror(error)));
      if (strerror(error) === 'Is a directory') printCounts(tool, state, state.counts, path);
      return 1;
    },
    close(tool, state, path) {
      const { counts, total } = state;
      counts.L = Math.max(counts.L, state.column);
      for (const key of ['l', 'w', 'c'] as const) total[key] += counts[key];
      total.L = Math.max(total.L, counts.L);
      printCounts(tool, state, counts, state.files === 0 ? undefined : path);
    },
    end(tool, state, code) {
      if (state.files > 1) printCounts(tool, state, state.total, 'total');
      return code;
    },
  },
  { usage: '[OPTION]... [FILE]...' },
);

function count(state: State, chunk: Bytes): void {
  const { counts } = state;
  counts.c += chunk.length;
  if (countsBytesOnly(state)) return;
  for (let i = 0; i < chunk.length; i++) {
    const code = chunk.charCodeAt(i);
    const isSpace = code === 32 || (code >= 9 && code <= 13);
    if (code === 10) counts.l++;
    if (code === 10 || code === 12 || code === 13) {
      counts.L = Math.max(counts.L, state.column);
      state.column = 0;
    } else if (code === 9) state.column += 8 - (state.column % 8);
    else if (code >= 32 && code < 127) state.column++;
    if (isSpace) state.isInWord = false;
    else if (!state.isInWord && code > 32 && code < 127) {
      state.isInWord = true;
      counts.w++;
    }
  }
}

/** As wide as the sum of the files' sizes; 7 when a size is not known before. */
function columnWidth(tool: FilterContext, files: readonly Bytes[], shown: readonly string[]): number {
  if (files.length <= 1 && shown.length === 1) return 1;
  let size = 0;
  let least = 1;
  for (const path of files.length === 0 ? ['-'] : files) {
    try {
      const stat = path === '-' ? tool.sys.fstat(0) : tool.sys.stat(path);
      if (stat.type === 'file') size += stat.size;
      else least = 7;
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
    }
  }
  return Math.max(least, String(size).length);
}

function printCounts(tool: FilterContext, state: State, counts: Counts, name: Bytes | undefined): void {
  const numbers = state.shown.map((key) => counts[key === 'm' ? 'c' : (key as keyof Counts)]);
  const width = state.shown.length === 1 && tool.flavour === 'busybox' ? 1 : state.width;
  const columns = numbers.map((n) => String(n).padStart(width)).join(' ');
  tool.out(`${columns}${name === undefined ? '' : ` ${name}`}\n`);
}
