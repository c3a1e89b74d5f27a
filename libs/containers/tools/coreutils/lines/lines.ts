import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { defineFilter, openFailure } from '../../framework/filter.js';
import { splitLines } from '../../format.js';
import { parseOptions, quoteName } from '../../framework/options.js';
import { defineTool, strerror, type ToolContext, ToolFailure } from '../../framework/tool.js';

/** Reads each file; one that cannot be read is told, and makes the exit code 1. */
export function readEach(tool: ToolContext, paths: readonly Bytes[], use: (text: Bytes, path: Bytes) => void): number {
  let code = 0;
  for (const path of paths.length === 0 ? ['-'] : paths) {
    let text: Bytes;
    try {
      text = tool.input(path);
    } catch (error) {
      tool.warn(openFailure(tool.flavour, path, strerror(error)));
      code = 1;
      continue;
    }
    use(text, path);
  }
  return code;
}

export const tac = defineTool(
  (tool) => {
    const options = parseOptions(tool, ['b,before', 'r,regex', 's,separator:']);
    const separator = options.value('s') ?? '\n';
    const print = (text: Bytes) => {
      const pieces = text.split(separator);
      const last = pieces.pop()!;
      const whole = pieces.map((piece) => piece + separator);
      tool.out((last === '' ? '' : last) + whole.reverse().join(''));
    };
    // An unfinished last line comes first and has no end, as GNU prints it.
    return readEach(tool, options.operands, print);
  },
  { usage: '[OPTION]... [FILE]...' },
);

export const rev = defineFilter<null>({
  start: (tool) => ({ files: parseOptions(tool, []).operands, state: null }),
  fail(tool, _state, path, error) {
    const gnu = `cannot open ${path}: ${strerror(error)}`;
    tool.warn(tool.flavour === 'gnu' ? gnu : openFailure('busybox', path, strerror(error)));
    return 1;
  },
  take: (tool, _state, line, isWhole) => tool.out([...line].reverse().join('') + (isWhole ? '\n' : '')),
});

type NumberState = { style: string; width: number; separator: Bytes; number: number; step: number; format: string };

export const nl = defineFilter<NumberState>(
  {
    start(tool) {
      const table = ['b,body-numbering:', 'w,number-width:', 's,number-separator:', 'v,starting-line-number:'];
      const options = parseOptions(tool, [...table, 'i,line-increment:', 'n,number-format:']);
      const style = options.value('b') ?? 't';
      if (!'atn'.includes(style[0]!)) throw new ToolFailure(`invalid body numbering style: ${quoteName(style)}`);
      const state = {
        ...{ style, width: Number(options.value('w') ?? 6), separator: options.value('s') ?? '\t' },
        ...{ number: Number(options.value('v') ?? 1), step: Number(options.value('i') ?? 1) },
        format: options.value('n') ?? 'rn',
      };
      return { files: options.operands, state };
    },
    take(tool, state, line) {
      const isNumbered = state.style === 'a' || (state.style === 't' && line !== '');
      if (!isNumbered) {
        tool.out(`${' '.repeat(state.width + state.separator.length)}${line}\n`);
        return;
      }
      const text = String(state.number);
      const padded = { ln: text.padEnd(state.width), rz: text.padStart(state.width, '0') }[state.format];
      tool.out(`${padded ?? text.padStart(state.width)}${state.separator}${line}\n`);
      state.number += state.step;
    },
  },
  { usage: '[OPTION]... [FILE]...' },
);

export const paste = defineTool(
  (tool) => {
    const options = parseOptions(tool, ['d,delimiters:', 's,serial', 'z,zero-terminated']);
    const delimiters = readDelimiters(options.value('d') ?? '\t');
    const ending = options.has('z') ? '\0' : '\n';
    const paths = options.operands.length === 0 ? ['-'] : options.operands;
    const shares = paths.filter((path) => path === '-').length;
    const columns = paths.map((path, i) => {
      const lines = splitLines(tool.input(path), ending);
      const turn = paths.slice(0, i).filter((other) => other === '-').length;
      return path === '-' && shares > 1 && !options.has('s') ? lines.filter((_l, n) => n % shares === turn) : lines;
    });
    const join = (cells: readonly Bytes[]) =>
      cells.map((cell, i) => (i === 0 ? cell : delimiters[(i - 1) % delimiters.length]! + cell)).join('') + ending;
    if (options.has('s')) for (const lines of columns) tool.out(join(lines));
    else {
      const rows = Math.max(...columns.map((lines) => lines.length));
      for (let row = 0; row < rows; row++) tool.out(join(columns.map((lines) => lines[row] ?? '')));
    }
    return 0;
  },
  { usage: '[OPTION]... [FILE]...' },
);

const readDelimiters = (text: Bytes): Bytes[] =>
  (text.match(/\\[\s\S]|[^\\]/g) ?? ['']).map((c) => ({ '\\n': '\n', '\\t': '\t', '\\0': '', '\\\\': '\\' })[c] ?? c);

export const shuf = defineTool(
  (tool) => {
    const options = parseOptions(tool, ['e,echo', 'i,input-range:', 'n,head-count:', 'r,repeat', 'z,zero-terminated']);
    const ending = options.has('z') ? '\0' : '\n';
    const range = options.value('i');
    const lines = options.has('e')
      ? [...options.operands]
      : range !== undefined
        ? countRange(range)
        : splitLines(tool.input(options.operands[0] ?? '-'), ending);
    const count = Math.min(Number(options.value('n') ?? Infinity), options.has('r') ? 1_000_000 : lines.length);
    for (let i = 0; i < count; i++) {
      const rest = options.has('r') ? 0 : i;
      const at = rest + Math.floor(tool.sys.random() * (lines.length - rest));
      [lines[rest], lines[at]] = [lines[at]!, lines[rest]!];
      tool.out(lines[rest]! + ending);
    }
    return 0;
  },
  { usage: '[OPTION]... [FILE]' },
);

function countRange(text: Bytes): Bytes[] {
  const [, low, high] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  if (low === undefined || high === undefined) throw new ToolFailure(`invalid input range: ${quoteName(text)}`);
  if (Number(high) - Number(low) > 1_000_000) throw new ToolFailure('memory exhausted');
  return Array.from({ length: Math.max(0, Number(high) - Number(low) + 1) }, (_, i) => String(Number(low) + i));
}
