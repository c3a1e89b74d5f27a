import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { defineFilter, type FilterContext } from '../../framework/filter.js';
import { parseOptions, refuseExtraOperands } from '../../framework/options.js';
import { ToolFailure } from '../../framework/tool.js';

type State = {
  flags: string;
  skipFields: number;
  skipCharacters: number;
  width: number;
  ending: Bytes;
  previous: Bytes | null;
  count: number;
};

const OPTIONS = [
  ...['c,count', 'd,repeated', 'D', 'u,unique', 'i,ignore-case', 'f,skip-fields:', 's,skip-chars:', 'w,check-chars:'],
  'z,zero-terminated',
];

export const uniq = defineFilter<State>(
  {
    separator: (state) => state.ending,
    start(tool) {
      const options = parseOptions(tool, OPTIONS);
      refuseExtraOperands(tool, options.operands, 2);
      const number = (key: string, what: string) => {
        const text = options.value(key) ?? (key === 'w' ? '9999999' : '0');
        if (!/^\d+$/.test(text)) throw new ToolFailure(`${text}: invalid number of ${what}`);
        return Number(text);
      };
      const flags = ['c', 'd', 'D', 'u', 'i'].filter((key) => options.has(key)).join('');
      const skips = { skipFields: number('f', 'fields to skip'), skipCharacters: number('s', 'bytes to skip') };
      const width = number('w', 'bytes to compare');
      const state = { flags, ...skips, width, ending: options.has('z') ? '\0' : '\n', previous: null, count: 0 };
      const [input, output] = options.operands;
      if (output !== undefined && output !== '-') redirect(tool, output);
      return { files: input === undefined ? [] : [input], state };
    },
    take(tool, state, line) {
      if (state.previous !== null && keyOf(state, state.previous) === keyOf(state, line)) {
        if (state.flags.includes('D')) {
          if (state.count === 1) tool.out(state.previous + state.ending);
          tool.out(line + state.ending);
        }
        state.count++;
        return;
      }
      print(tool, state);
      state.previous = line;
      state.count = 1;
    },
    end(tool, state, code) {
      print(tool, state);
      return code;
    },
  },
  { usage: '[OPTION]... [INPUT [OUTPUT]]' },
);

function redirect(tool: FilterContext, path: Bytes): void {
  const descriptor = tool.sys.open(path, { write: true, create: true, truncate: true });
  tool.sys.duplicate(descriptor, 1);
  tool.sys.close(descriptor);
}

function keyOf(state: State, line: Bytes): Bytes {
  let key = line;
  for (let i = 0; i < state.skipFields; i++) key = key.replace(/^[ \t]*[^ \t]*/, '');
  key = key.slice(state.skipCharacters).slice(0, state.width);
  return state.flags.includes('i') ? key.toLowerCase() : key;
}

function print(tool: FilterContext, state: State): void {
  const { previous, count, flags, ending } = state;
  if (previous === null || flags.includes('D')) return;
  if ((flags.includes('d') && count === 1) || (flags.includes('u') && count > 1)) return;
  tool.out(`${flags.includes('c') ? `${String(count).padStart(7)} ` : ''}${previous}${ending}`);
}
