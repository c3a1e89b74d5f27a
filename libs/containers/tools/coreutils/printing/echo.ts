import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { unescapeBytes } from '../../format.js';
import { parseOptions, quoteName } from '../../options.js';
import { defineTool, ToolFailure, UsageFailure } from '../../tool.js';

export const echo = defineTool((tool) => {
  const words = [...tool.args];
  let [isRaw, escapes] = [false, false];
  while (/^-[neE]+$/.test(words[0] ?? '')) {
    for (const letter of words.shift()!.slice(1)) {
      if (letter === 'n') isRaw = true;
      else escapes = letter === 'e';
    }
  }
  const text = words.join(' ');
  const { bytes, isEnd } = escapes ? unescapeBytes(text) : { bytes: text, isEnd: false };
  tool.out(bytes + (isRaw || isEnd ? '' : '\n'));
  return 0;
});

export const succeed = defineTool(() => 0);
export const fail = defineTool(() => 1);

export const seq = defineTool(
  (tool) => {
    const numbers = tool.args.findIndex((word) => /^-?\.?\d/.test(word));
    const cut = numbers < 0 ? tool.args.length : numbers;
    const operandsFrom = tool.args.slice(0, cut);
    const options = parseOptions({ ...tool, args: operandsFrom }, ['f,format:', 's,separator:', 'w,equal-width'], true);
    const operands = [...options.operands, ...tool.args.slice(cut)];
    if (operands.length === 0) throw new UsageFailure('missing operand');
    if (operands.length > 3) throw new UsageFailure(`extra operand ${quoteName(operands[3]!)}`);
    const wrong = operands.find((word) => !/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i.test(word));
    if (wrong !== undefined) throw new UsageFailure(`invalid floating point argument: ${quoteName(wrong)}`);
    const [first, step, last] =
      operands.length === 1
        ? ['1', '1', operands[0]!]
        : operands.length === 2
          ? [operands[0]!, '1', operands[1]!]
          : (operands as [Bytes, Bytes, Bytes]);
    if (Number(step) === 0) throw new UsageFailure(`invalid Zero increment value: ${quoteName(step)}`);
    tool.out(countUp(first, step, last, options.has('w'), options.value('s') ?? '\n', options.value('f')));
    return 0;
  },
  { usage: '[OPTION]... [FIRST [INCREMENT]] LAST' },
);

/** Numbers that one call prints. */
const MAX_NUMBERS = 1_000_000;

function countUp(first: Bytes, step: Bytes, last: Bytes, isPadded: boolean, separator: Bytes, format?: Bytes): Bytes {
  const decimals = Math.max(...[first, step].map((word) => word.split('.')[1]?.length ?? 0));
  const [start, increment, end] = [Number(first), Number(step), Number(last)];
  const count = Math.floor((end - start) / increment + 1e-10) + 1;
  if (count > MAX_NUMBERS) throw new ToolFailure('memory exhausted');
  const numbers = Array.from({ length: Math.max(0, count) }, (_, i) => (start + i * increment).toFixed(decimals));
  const width = isPadded ? Math.max(...[first, last].map((word) => Number(word).toFixed(decimals).length)) : 0;
  const pad = (text: Bytes) =>
    text.startsWith('-') ? `-${text.slice(1).padStart(width - 1, '0')}` : text.padStart(width, '0');
  const texts = numbers.map((text) => (format === undefined ? pad(text) : formatNumber(format, Number(text))));
  return texts.length === 0 ? '' : `${texts.join(separator)}\n`;
}

function formatNumber(format: Bytes, value: number): Bytes {
  return format.replace(
    /%([-+ 0#]{0,5})(\d{0,5})(?:\.(\d+))?([fgeaE])/,
    (_whole, flags: string, width: string, precision?: string) => {
      const text = precision === undefined ? String(value) : value.toFixed(Number(precision));
      return text.padStart(Number(width || 0), flags.includes('0') ? '0' : ' ');
    },
  );
}
