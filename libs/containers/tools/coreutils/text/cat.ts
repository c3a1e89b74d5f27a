import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { defineFilter, type FilterContext } from '../../framework/filter.js';
import { parseOptions } from '../../framework/options.js';
import { cutLines } from '../../names.js';

type Show = { numbers: 'all' | 'filled' | null; ends: boolean; tabs: boolean; hidden: boolean; squeeze: boolean };
type State = Show & { line: number; isLineStart: boolean; blanks: number };

const OPTIONS = [
  ...['A,show-all', 'b,number-nonblank', 'e', 'E,show-ends', 'n,number', 's,squeeze-blank', 't', 'T,show-tabs'],
  ...['u', 'v,show-nonprinting'],
];

export const cat = defineFilter<State>(
  {
    unit: 'chunk',
    isCheap: ({ numbers, ends, tabs, hidden, squeeze }) => numbers === null && !ends && !tabs && !hidden && !squeeze,
    start(tool) {
      const options = parseOptions(tool, OPTIONS);
      const show: Show = {
        numbers: options.has('b') ? 'filled' : options.has('n') ? 'all' : null,
        ends: options.has('A', 'e', 'E'),
        tabs: options.has('A', 't', 'T'),
        hidden: options.has('A', 'e', 't', 'v'),
        squeeze: options.has('s'),
      };
      return { files: options.operands, state: { ...show, line: 0, isLineStart: true, blanks: 0 } };
    },
    take(tool, state, chunk) {
      const { numbers, ends, tabs, hidden, squeeze } = state;
      if (numbers === null && !ends && !tabs && !hidden && !squeeze) tool.out(chunk);
      else for (const line of cutLines(chunk)) printLine(tool, state, line);
    },
  },
  { usage: '[OPTION]... [FILE]...' },
);

function printLine(tool: FilterContext, state: State, line: Bytes): void {
  const isBlank = state.isLineStart && line === '\n';
  state.blanks = isBlank ? state.blanks + 1 : 0;
  if (state.squeeze && state.blanks > 1) return;
  const isNumbered = state.isLineStart && (state.numbers === 'all' || (state.numbers === 'filled' && !isBlank));
  if (isNumbered) tool.out(`${String(++state.line).padStart(6)}\t`);
  state.isLineStart = line.endsWith('\n');
  const text = state.isLineStart ? line.slice(0, -1) : line;
  const shown = state.hidden ? showHidden(text) : text;
  tool.out(state.tabs ? shown.replaceAll('\t', '^I') : shown);
  if (state.isLineStart) tool.out(state.ends ? '$\n' : '\n');
}

/** ^X and M-x for what cannot be printed; tabs stay. */
export function showHidden(text: Bytes): Bytes {
  return text.replace(/[\0-\x08\x0a-\x1f\x7f-\xff]/g, (c) => {
    const code = c.charCodeAt(0);
    const low = code & 127;
    const letter = low === 127 ? '^?' : low < 32 ? `^${String.fromCharCode(low + 64)}` : String.fromCharCode(low);
    return code > 127 ? `M-${letter}` : letter;
  });
}
