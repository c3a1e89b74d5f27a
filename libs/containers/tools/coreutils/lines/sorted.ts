import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { splitLines } from '../../format.js';
import { parseOptions, quoteName, type Options } from '../../framework/options.js';
import { defineTool, type ToolContext, ToolFailure, UsageFailure } from '../../framework/tool.js';

type Which = 0 | 1;

/**
 * Tells of input that is not in order: once for each file, and by default only when lines have been found that the
 * other file has not. Models check_order of coreutils' comm.c and join.c.
 */
class OrderCheck {
  /** A line that only one of the files has was seen. */
  hasUnpaired = false;
  private readonly isTold: [boolean, boolean] = [false, false];

  constructor(
    private readonly tool: ToolContext,
    private readonly options: Options,
  ) {}

  /** `order`: how a line compares to the next one. `describe`: what is told of it. */
  check(which: Which, order: number, describe: () => string): void {
    const isAsked = this.options.has('check-order');
    if (order <= 0 || this.isTold[which] || this.options.has('nocheck-order')) return;
    if (!isAsked && !this.hasUnpaired) return;
    this.isTold[which] = true;
    this.tool.warn(describe());
    if (isAsked) throw new ToolFailure('', 1);
  }

  /** The exit code. */
  end(): number {
    if (!this.isTold.includes(true)) return 0;
    this.tool.warn('input is not in sorted order');
    return 1;
  }
}

const compare = (a: Bytes, b: Bytes): number => (a < b ? -1 : a > b ? 1 : 0);

function twoFiles(options: Options): [Bytes, Bytes] {
  const [first, second, third] = options.operands;
  if (first === undefined) throw new UsageFailure('missing operand');
  if (second === undefined) throw new UsageFailure(`missing operand after ${quoteName(first)}`);
  if (third !== undefined) throw new UsageFailure(`extra operand ${quoteName(third)}`);
  return [first, second];
}

export const comm = defineTool(
  (tool) => {
    const options = parseOptions(tool, ['1', '2', '3', 'check-order', 'nocheck-order', 'output-delimiter:', 'total']);
    const files = twoFiles(options).map((path) => splitLines(tool.input(path))) as [Bytes[], Bytes[]];
    const delimiter = options.value('output-delimiter') ?? '\t';
    const order = new OrderCheck(tool, options);
    const totals = [0, 0, 0];
    const print = (column: 1 | 2 | 3, line: Bytes): void => {
      totals[column - 1]!++;
      if (options.has(String(column))) return;
      const before = Array.from({ length: column - 1 }, (_, i) => i + 1).filter((other) => !options.has(String(other)));
      tool.out(`${delimiter.repeat(before.length)}${line}\n`);
    };
    const at: [number, number] = [0, 0];
    const next = (which: Which): void => {
      const lines = files[which];
      const [line, following] = [lines[at[which]]!, lines[++at[which]]];
      if (following !== undefined)
        order.check(which, compare(line, following), () => `file ${which + 1} is not in sorted order`);
    };
    while (at[0] < files[0].length || at[1] < files[1].length) {
      const [a, b] = [files[0][at[0]], files[1][at[1]]];
      if (a !== undefined && a === b) {
        print(3, a);
        next(0);
        next(1);
        continue;
      }
      order.hasUnpaired = true;
      const isLeft = b === undefined || (a !== undefined && a < b);
      print(isLeft ? 1 : 2, isLeft ? a! : b!);
      next(isLeft ? 0 : 1);
    }
    if (options.has('total')) tool.out(`${totals.join(delimiter)}${delimiter}total\n`);
    return order.end();
  },
  { usage: '[OPTION]... FILE1 FILE2' },
);

type Row = readonly Bytes[];

export const join = defineTool(
  (tool) => {
    const table = ['1:', '2:', 'j:', 't:', 'a:', 'v:', 'e:', 'o:', 'i,ignore-case', 'check-order', 'nocheck-order'];
    const options = parseOptions(tool, table);
    const files = twoFiles(options);
    const separator = options.value('t');
    const keys = (['1', '2'] as const).map((file) => Number(options.value(file) ?? options.value('j') ?? 1) - 1);
    const [leftKey, rightKey] = keys as [number, number];
    const texts = files.map((path) => splitLines(tool.input(path)));
    const split = (line: Bytes): Row =>
      separator === undefined ? line.split(/[ \t]+/).filter(Boolean) : line.split(separator);
    const [left, right] = texts.map((lines) => lines.map(split)) as [Row[], Row[]];
    const unpaired = [...options.values('a'), ...options.values('v')];
    const hasPairs = !options.has('v');
    const keyOf = (row: Row, field: number): Bytes => {
      const key = row[field] ?? '';
      return options.has('i') ? key.toLowerCase() : key;
    };
    const print = printerOf(tool, options, [leftKey, rightKey]);
    const order = new OrderCheck(tool, options);
    /** Steps over the lines before `to`. */
    const pass = (which: Which, from: number, to: number): number => {
      const rows = which === 0 ? left : right;
      for (let i = from; i < to; i++)
        if (rows[i + 1] !== undefined)
          order.check(
            which,
            compare(keyOf(rows[i]!, keys[which]!), keyOf(rows[i + 1]!, keys[which]!)),
            () => `${files[which]}:${i + 2}: is not sorted: ${texts[which]![i + 1]!}`,
          );
      return to;
    };
    let [i, j] = [0, 0];
    while (i < left.length || j < right.length) {
      const [a, b] = [left[i], right[j]];
      const sign = a === undefined ? 1 : b === undefined ? -1 : compare(keyOf(a, leftKey), keyOf(b, rightKey));
      if (sign !== 0) {
        const which = sign < 0 ? 0 : 1;
        if (unpaired.includes(String(which + 1))) print(which === 0 ? a : undefined, which === 0 ? undefined : b);
        if (which === 0) i = pass(0, i, i + 1);
        else j = pass(1, j, j + 1);
        // The rest of one file alone says nothing.
        if (a !== undefined && b !== undefined) order.hasUnpaired = true;
        continue;
      }
      const key = keyOf(a!, leftKey);
      const [endLeft, endRight] = [endOfGroup(left, i, leftKey), endOfGroup(right, j, rightKey)];
      if (hasPairs) for (const x of left.slice(i, endLeft)) for (const y of right.slice(j, endRight)) print(x, y);
      [i, j] = [pass(0, i, endLeft), pass(1, j, endRight)];

      function endOfGroup(rows: readonly Row[], from: number, field: number): number {
        let end = from;
        while (end < rows.length && keyOf(rows[end]!, field) === key) end++;
        return end;
      }
    }
    return order.end();
  },
  { usage: '[OPTION]... FILE1 FILE2' },
);

/** Prints a pair, or a line that has none. */
function printerOf(
  tool: ToolContext,
  options: Options,
  [leftKey, rightKey]: readonly [number, number],
): (a: Row | undefined, b: Row | undefined) => void {
  const separator = options.value('t') ?? ' ';
  const format = options.value('o')?.split(/[ ,]+/);
  return (a, b) => {
    const key = a?.[leftKey] ?? b?.[rightKey] ?? '';
    const pick = (spec: Bytes): Bytes =>
      (spec === '0' ? key : (spec.startsWith('1') ? a : b)?.[Number(spec.slice(2)) - 1]) || (options.value('e') ?? '');
    const rest = [...(a ?? []).filter((_c, n) => n !== leftKey), ...(b ?? []).filter((_c, n) => n !== rightKey)];
    tool.out(`${(format === undefined ? [key, ...rest] : format.map(pick)).join(separator)}\n`);
  };
}
