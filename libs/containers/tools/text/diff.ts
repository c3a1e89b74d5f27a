import type { Bytes } from '../../../engine/kernel/bytes.js';
import { formatDate } from '../coreutils/time/date-format.js';
import { type Options, parseOptions } from '../framework/options.js';
import { defineTool, strerror, type ToolContext, ToolFailure, UsageFailure } from '../framework/tool.js';
import { type Edit, findEdits } from './edits.js';
import { cutLines } from '../names.js';

const OPTIONS = [
  ...[
    'a,text',
    'b,ignore-space-change',
    'B,ignore-blank-lines',
    'c',
    'C:',
    'd,minimal',
    'i,ignore-case',
    'L,label:',
    'N,new-file',
  ],
  ...[
    'q,brief',
    'r,recursive',
    's,report-identical-files',
    'T',
    't',
    'u',
    'U,unified:',
    'w,ignore-all-space',
    'x,exclude:',
  ],
  ...['color::', 'strip-trailing-cr'],
];

export const diff = defineTool(
  (tool) => {
    const options = parseOptions(tool, OPTIONS);
    const [left, right, extra] = options.operands;
    if (right === undefined)
      throw new UsageFailure(left === undefined ? "missing operand after 'diff'" : `missing operand after '${left}'`);
    if (extra !== undefined) throw new UsageFailure(`extra operand '${extra}'`);
    return new Comparison(tool, options).compare(left!, right);
  },
  { usage: '[OPTION]... FILES', usageCode: 2, version: 'diff (GNU diffutils) 3.8' },
);

class Comparison {
  constructor(
    private readonly tool: ToolContext,
    private readonly options: Options,
  ) {}

  compare(left: Bytes, right: Bytes): number {
    const [leftIsDirectory, rightIsDirectory] = [this.isDirectory(left), this.isDirectory(right)];
    if (leftIsDirectory === undefined || rightIsDirectory === undefined) return 2;
    const inside = (directory: Bytes, path: Bytes) => `${directory.replace(/\/$/, '')}/${path.replace(/^.*\//s, '')}`;
    if (leftIsDirectory && rightIsDirectory) return this.compareDirectories(left, right);
    return this.compareFiles(
      leftIsDirectory ? inside(left, right) : left,
      rightIsDirectory ? inside(right, left) : right,
    );
  }

  private isDirectory(path: Bytes): boolean | undefined {
    if (path === '-') return false;
    try {
      return this.tool.sys.stat(path).type === 'directory';
    } catch (error) {
      if (this.options.has('N')) return false;
      this.tool.warn(
        this.tool.flavour === 'gnu' ? `${path}: ${strerror(error)}` : `can't stat '${path}': ${strerror(error)}`,
      );
      return undefined;
    }
  }

  private compareDirectories(left: Bytes, right: Bytes): number {
    const { tool, options } = this;
    const names = [...new Set([...tool.sys.readDirectory(left), ...tool.sys.readDirectory(right)])].sort();
    let code = 0;
    for (const name of names) {
      const [a, b] = [`${left}/${name}`, `${right}/${name}`];
      const [hasLeft, hasRight] = [tool.sys.access(a, ''), tool.sys.access(b, '')];
      if ((!hasLeft || !hasRight) && !options.has('N')) {
        tool.out(`Only in ${hasLeft ? left : right}: ${name}\n`);
        code = Math.max(code, 1);
      } else if (this.isDirectory(a) === true && this.isDirectory(b) === true) {
        if (options.has('r')) code = Math.max(code, this.compareDirectories(a, b));
        else tool.out(`Common subdirectories: ${a} and ${b}\n`);
      } else code = Math.max(code, this.compareFiles(a, b, true));
    }
    return code;
  }

  private read(path: Bytes): Bytes {
    try {
      return this.tool.input(path);
    } catch (error) {
      if (this.options.has('N') && strerror(error) === 'No such file or directory') return '';
      throw new ToolFailure(`${path}: ${strerror(error)}`, 2);
    }
  }

  private compareFiles(left: Bytes, right: Bytes, isBelow = false): number {
    const { tool, options } = this;
    const [a, b] = [this.read(left), this.read(right)];
    if (a === b) {
      if (options.has('s')) tool.out(`Files ${left} and ${right} are identical\n`);
      return 0;
    }
    const isBinary = (a.slice(0, 32_768) + b.slice(0, 32_768)).includes('\0');
    const [x, y] = [cutLines(a), cutLines(b)];
    tool.sys.charge((a.length + b.length) >> 2);
    const edits = isBinary
      ? []
      : findEdits(
          x.map((line) => this.normalize(line)),
          y.map((line) => this.normalize(line)),
        );
    const shown = options.has('B') ? edits.filter((edit) => !isBlank(edit, x, y)) : edits;
    if (shown.length === 0 && !isBinary) return 0;
    if (options.has('q')) tool.out(`Files ${left} and ${right} differ\n`);
    else if (isBinary) tool.out(`${tool.flavour === 'gnu' ? 'Binary files' : 'Files'} ${left} and ${right} differ\n`);
    else {
      const flags = tool.args.filter((word) => word.startsWith('-')).join(' ');
      if (isBelow) tool.out(`diff ${flags}${flags === '' ? '' : ' '}${left} ${right}\n`);
      const isUnified = options.has('u', 'U') || tool.flavour === 'busybox';
      if (isUnified) this.printUnified(left, right, x, y, shown);
      else this.printPlain(x, y, shown);
    }
    return 1;
  }

  private normalize(line: Bytes): Bytes {
    const { options } = this;
    let text = options.has('strip-trailing-cr') ? line.replace(/\r\n$/, '\n') : line;
    if (options.has('w')) text = text.replace(/[ \t]/g, '');
    else if (options.has('b')) text = text.replace(/[ \t]+/g, ' ').replace(/ (?=\n?$)/, '');
    return options.has('i') ? text.toLowerCase() : text;
  }

  private printLine(sign: string, line: Bytes): void {
    this.tool.out(line.endsWith('\n') ? sign + line : `${sign}${line}\n\\ No newline at end of file\n`);
  }

  private printPlain(x: readonly Bytes[], y: readonly Bytes[], edits: readonly Edit[]): void {
    const span = (from: number, to: number) => (to - from > 1 ? `${from + 1},${to}` : String(to));
    for (const { from, to, otherFrom, otherTo } of edits) {
      const letter = from === to ? 'a' : otherFrom === otherTo ? 'd' : 'c';
      this.tool.out(`${span(from, to)}${letter}${span(otherFrom, otherTo)}\n`);
      for (const line of x.slice(from, to)) this.printLine('< ', line);
      if (letter === 'c') this.tool.out('---\n');
      for (const line of y.slice(otherFrom, otherTo)) this.printLine('> ', line);
    }
  }

  private printUnified(
    left: Bytes,
    right: Bytes,
    x: readonly Bytes[],
    y: readonly Bytes[],
    edits: readonly Edit[],
  ): void {
    const { tool, options } = this;
    const context = Number(options.value('U') ?? 3);
    const labels = options.values('L');
    tool.out(`--- ${labels[0] ?? this.stamp(left)}\n+++ ${labels[1] ?? this.stamp(right)}\n`);
    const span = (from: number, to: number) =>
      to - from === 1 ? String(to) : `${to === from ? from : from + 1},${to - from}`;
    for (const group of groupEdits(edits, context)) {
      const [first, last] = [group[0]!, group.at(-1)!];
      const before = Math.min(context, first.from);
      const after = Math.min(context, x.length - last.to);
      const own = span(first.from - before, last.to + after);
      const other = span(first.otherFrom - before, last.otherTo + after);
      tool.out(`@@ -${own} +${other} @@\n`);
      let at = first.from - before;
      for (const { from, to, otherFrom, otherTo } of group) {
        for (const line of x.slice(at, from)) this.printLine(' ', line);
        for (const line of x.slice(from, to)) this.printLine('-', line);
        for (const line of y.slice(otherFrom, otherTo)) this.printLine('+', line);
        at = to;
      }
      for (const line of x.slice(at, last.to + after)) this.printLine(' ', line);
    }
  }

  private stamp(path: Bytes): Bytes {
    if (this.tool.flavour === 'busybox') return path;
    const { sys } = this.tool;
    const at = path === '-' ? sys.now : sys.access(path, '') ? sys.stat(path).modified : 0;
    return `${path}\t${formatDate('%F %T.%N %z', at)}`;
  }
}

const isBlank = ({ from, to, otherFrom, otherTo }: Edit, x: readonly Bytes[], y: readonly Bytes[]) =>
  [...x.slice(from, to), ...y.slice(otherFrom, otherTo)].every((line) => line.trim() === '');

/** Edits whose contexts touch are one hunk. */
function groupEdits(edits: readonly Edit[], context: number): Edit[][] {
  const groups: Edit[][] = [];
  for (const edit of edits) {
    const last = groups.at(-1)?.at(-1);
    if (last !== undefined && edit.from - last.to <= 2 * context) groups.at(-1)!.push(edit);
    else groups.push([edit]);
  }
  return groups;
}

export const cmp = defineTool(
  (tool) => {
    const options = parseOptions(tool, [
      'b,print-bytes',
      'i,ignore-initial:',
      'l,verbose',
      'n,bytes:',
      's,quiet,silent',
    ]);
    const [left, right = '-'] = options.operands;
    if (left === undefined) throw new UsageFailure("missing operand after 'cmp'");
    const limit = Number(options.value('n') ?? Infinity);
    if (limit === Infinity && [left, right].every((path) => isLarge(tool, path)))
      return compareLarge(tool, left, right, options.has('s'));
    const [a, b] = [left, right].map((path) => readOrFail(tool, path).slice(0, limit)) as [Bytes, Bytes];
    if (a === b) return 0;
    let at = 0;
    while (at < a.length && at < b.length && a[at] === b[at]) at++;
    if (options.has('s')) return 1;
    const line = a.slice(0, at).split('\n').length;
    if (at < a.length && at < b.length) {
      tool.out(`${left} ${right} differ: char ${at + 1}, line ${line}\n`);
      return 1;
    }
    const short = a.length < b.length ? left : right;
    const isLineEnd = at > 0 && a[at - 1] === '\n';
    const where =
      at === 0 ? ' which is empty' : ` after byte ${at}, ${isLineEnd ? `line ${line - 1}` : `in line ${line}`}`;
    tool.err(`${tool.name}: EOF on ${short}${tool.flavour === 'gnu' ? where : ''}\n`);
    return 1;
  },
  { usage: '[OPTION]... FILE1 [FILE2 [SKIP1 [SKIP2]]]', usageCode: 2, version: 'cmp (GNU diffutils) 3.8' },
);

/** Larger than what a tool reads as a whole. */
const LARGE_BYTES = 4 << 20;
const PIECE = 1 << 20;

const isLarge = ({ sys }: ToolContext, path: Bytes): boolean => {
  if (path === '-') return false;
  try {
    const stat = sys.stat(path);
    return stat.type === 'file' && stat.size > LARGE_BYTES;
  } catch (error) {
    strerror(error);
    return false;
  }
};

/** cmp of two files, piece by piece: binaries are not read as a whole. */
function compareLarge(tool: ToolContext, left: Bytes, right: Bytes, isSilent: boolean): number {
  const { sys } = tool;
  const [a, b] = [left, right].map((path) => sys.open(path, { read: true })) as [number, number];
  let [at, line] = [0, 1];
  for (;;) {
    const [one = '', other = ''] = [sys.read(a, PIECE), sys.read(b, PIECE)];
    if (one === other && one === '') return 0;
    let same = one === other ? one.length : 0;
    while (same < one.length && same < other.length && one[same] === other[same]) same++;
    line += one.slice(0, same).split('\n').length - 1;
    at += same;
    if (same === one.length && same === other.length) continue;
    if (isSilent) return 1;
    if (same < one.length && same < other.length) tool.out(`${left} ${right} differ: char ${at + 1}, line ${line}\n`);
    else {
      const where = tool.flavour === 'gnu' ? ` after byte ${at}, in line ${line}` : '';
      tool.err(`${tool.name}: EOF on ${one.length < other.length ? left : right}${where}\n`);
    }
    return 1;
  }
}

function readOrFail(tool: ToolContext, path: Bytes): Bytes {
  try {
    return tool.input(path);
  } catch (error) {
    throw new ToolFailure(`${path}: ${strerror(error)}`, 2);
  }
}
