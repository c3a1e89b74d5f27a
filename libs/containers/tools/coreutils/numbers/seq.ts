import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { FilterContext } from '../../framework/filter.js';
import { parseOptions, quoteName } from '../../framework/options.js';
import { defineSteps } from '../../framework/steps.js';
import { ToolFailure, UsageFailure } from '../../framework/tool.js';

type SeqState = {
  first: Bytes;
  step: Bytes;
  last: Bytes;
  /** How many were printed. */
  count: number;
  /** All three are whole numbers without an exponent: they are counted exactly, however long. */
  isExact: boolean;
  decimals: number;
  width: number;
  separator: Bytes;
  format: Bytes | null;
};

/** Bytes and numbers of one step. */
const CHUNK = 8_192;
const MAX_NUMBERS = 1_024;
/** What Number.toFixed takes. */
const MAX_DECIMALS = 100;

/** Prints as its reader takes: it need not end. */
export const seq = defineSteps<SeqState>(
  {
    start(tool) {
      const numbers = tool.args.findIndex((word) => /^-?\.?\d/.test(word));
      const cut = numbers < 0 ? tool.args.length : numbers;
      const table = [...(tool.flavour === 'gnu' ? ['f,format:', 's,separator:', 'w,equal-width'] : ['s:', 'w'])];
      const options = parseOptions({ ...tool, args: tool.args.slice(0, cut) }, table, true);
      const [first, step, last] = readOperands([...options.operands, ...tool.args.slice(cut)], tool.flavour === 'gnu');
      const format = options.value('f') ?? null;
      if (format !== null && !DIRECTIVE.test(format))
        throw new ToolFailure(`format ${quoteName(format)} has no % directive`);
      if (format !== null && options.has('w'))
        throw new UsageFailure('format string may not be specified when printing equal width strings');
      const decimals = Math.min(MAX_DECIMALS, Math.max(decimalsOf(first), decimalsOf(step)));
      const isExact = [first, step].every(isInteger) && (isInteger(last) || isInfinite(last));
      const lengthOf = (word: Bytes) => (isExact ? trimNumber(word) : Number(word).toFixed(decimals)).length;
      return {
        ...{ first, step, last, count: 0, isExact, decimals, separator: options.value('s') ?? '\n', format },
        width: options.has('w') ? Math.max(lengthOf(first), isInfinite(last) ? 0 : lengthOf(last)) : 0,
      };
    },
    step(tool, state) {
      const isDone = printSome(tool, state);
      if (!isDone) return { type: 'yield' };
      if (state.count > 0) tool.out('\n');
      return 0;
    },
  },
  { usage: '[OPTION]... [FIRST [INCREMENT]] LAST' },
);

const NUMBER = /^[-+]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:e[-+]?\d{1,4})?$/i;
const DIRECTIVE = /%([-+ 0#]{0,5})(\d{0,5})(?:\.(\d{1,3}))?([fgeaE])/;
const isInteger = (word: Bytes): boolean => /^[-+]?\d+$/.test(word);
const isInfinite = (word: Bytes): boolean => /^[-+]?inf(?:inity)?$/i.test(word);
const trimNumber = (word: Bytes): Bytes => String(BigInt(word.replace('+', '')));

function readOperands(operands: readonly Bytes[], isGnu: boolean): [Bytes, Bytes, Bytes] {
  if (operands.length === 0) throw new UsageFailure(isGnu ? 'missing operand' : '');
  if (operands.length > 3) throw new UsageFailure(isGnu ? `extra operand ${quoteName(operands[3]!)}` : '');
  const wrong = operands.find((word) => !NUMBER.test(word) && !isInfinite(word));
  if (wrong !== undefined) {
    if (!isGnu) throw new ToolFailure(`invalid number '${wrong}'`);
    throw new UsageFailure(`invalid floating point argument: ${quoteName(wrong)}`);
  }
  const first = operands.length === 1 ? '1' : operands[0]!;
  const step = operands.length === 3 ? operands[1]! : '1';
  if (Number(step) === 0 && isGnu) throw new UsageFailure(`invalid Zero increment value: ${quoteName(step)}`);
  return [first, step, operands.at(-1)!];
}

/** Digits after the point: 2 of 1.25, 3 of 5e-3. */
function decimalsOf(word: Bytes): number {
  const [digits = '', exponent = '0'] = word.toLowerCase().split('e');
  return isInfinite(word) ? 0 : Math.max(0, (digits.split('.')[1]?.length ?? 0) - Number(exponent));
}

/** True: nothing is left. */
function printSome(tool: FilterContext, state: SeqState): boolean {
  const valueAt = state.isExact ? countExactly(state) : countInDecimals(state);
  let text = '';
  for (let i = 0; i < MAX_NUMBERS && text.length < CHUNK; i++) {
    const value = valueAt(state.count);
    if (value === undefined) {
      tool.out(text);
      return true;
    }
    text += (state.count > 0 ? state.separator : '') + showNumber(state, value);
    state.count++;
  }
  tool.out(text);
  tool.sys.charge(text.length >> 2);
  return false;
}

function countExactly({ first, step, last }: SeqState): (index: number) => Bytes | undefined {
  const [start, by] = [BigInt(first.replace('+', '')), BigInt(step.replace('+', ''))];
  const end = isInfinite(last) ? undefined : BigInt(last.replace('+', ''));
  const isPast = (value: bigint): boolean => {
    if (end === undefined) return last.startsWith('-') === by > 0n;
    return by < 0n ? value < end : value > end;
  };
  return (index) => {
    const value = start + BigInt(index) * by;
    return isPast(value) ? undefined : String(value);
  };
}

function countInDecimals({ first, step, last, decimals }: SeqState): (index: number) => Bytes | undefined {
  const [start, by, end] = [numberOf(first), numberOf(step), numberOf(last)];
  const slack = 1e-10 * Math.abs(by);
  return (index) => {
    const value = start + index * by;
    if (by < 0 ? value < end - slack : value > end + slack) return undefined;
    return value.toFixed(decimals);
  };
}

const numberOf = (word: Bytes): number =>
  isInfinite(word) ? (word.startsWith('-') ? -Infinity : Infinity) : Number(word);

function showNumber({ format, width }: SeqState, text: Bytes): Bytes {
  if (format !== null) return formatNumber(format, Number(text));
  return text.startsWith('-') ? `-${text.slice(1).padStart(width - 1, '0')}` : text.padStart(width, '0');
}

function formatNumber(format: Bytes, value: number): Bytes {
  return format.replace(DIRECTIVE, (_whole, flags: string, width: string, precision?: string) => {
    const text = precision === undefined ? String(value) : value.toFixed(Math.min(MAX_DECIMALS, Number(precision)));
    return text.padStart(Number(width || 0), flags.includes('0') ? '0' : ' ');
  });
}
