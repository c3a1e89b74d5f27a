import { base32, base64 as base64Coder } from '@scure/base';
import { type Bytes, fromArray, toArray } from '../../../../engine/kernel/bytes.js';
import { parseSize } from '../../format.js';
import { parseOptions, quoteName, refuseExtraOperands } from '../../framework/options.js';
import { defineTool, type Tool, type ToolContext, ToolFailure } from '../../framework/tool.js';
import { BLOCKS } from '../text/head.js';
import { cutLines } from '../../names.js';
import { writeWholeFile } from '../../whole-file.js';

interface Coder {
  encode(bytes: Uint8Array): string;
  decode(text: string): Uint8Array;
}

function baseTool(coder: Coder, group: number): Tool {
  return defineTool(
    (tool) => {
      const options = parseOptions(tool, ['d,D,decode', 'i,ignore-garbage', 'w,wrap:']);
      refuseExtraOperands(tool, options.operands, 1);
      const wrap = Number(options.value('w') ?? 76);
      if (Number.isNaN(wrap)) throw new ToolFailure(`invalid wrap size: ${quoteName(options.value('w')!)}`);
      const text = tool.input(options.operands[0] ?? '-');
      tool.sys.charge(text.length >> 3);
      if (options.has('d')) return decode(tool, coder, group, text, options.has('i'));
      const encoded = coder.encode(toArray(text));
      if (wrap === 0 || encoded === '') tool.out(encoded);
      else for (let at = 0; at < encoded.length; at += wrap) tool.out(`${encoded.slice(at, at + wrap)}\n`);
      return 0;
    },
    { usage: '[OPTION]... [FILE]' },
  );
}

function decode(tool: ToolContext, coder: Coder, group: number, text: Bytes, ignoresGarbage: boolean): number {
  const clean = ignoresGarbage ? text.replace(/[^A-Za-z0-9+/=]/g, '') : text.replace(/\n/g, '');
  // What can be decoded before the fault is printed first.
  const whole = clean.length - (clean.length % group);
  for (let end = whole; end >= 0; end -= group) {
    try {
      tool.out(fromArray(coder.decode(clean.slice(0, end))));
      if (end === clean.length) return 0;
      break;
    } catch {
      if (whole - end > 4_096) break;
    }
  }
  tool.warn(tool.flavour === 'gnu' ? 'invalid input' : 'truncated input');
  return 1;
}

export const base64 = baseTool(base64Coder, 4);
export const base32Tool = baseTool(base32, 8);

const printable = (c: Bytes) => (/[ -~]/.test(c) ? c : '.');
const hexOf = (c: Bytes) => c.charCodeAt(0).toString(16).padStart(2, '0');

export const xxd = defineTool((tool) => {
  const options = parseOptions(tool, [
    'r',
    'revert',
    'p,ps,plain',
    'c,cols:',
    'l,len:',
    's,seek:',
    'g,groupsize:',
    'u',
    'b',
    'i',
  ]);
  const text = tool.input(options.operands[0] ?? '-');
  if (options.has('r')) {
    const digits = options.has('p')
      ? text.replace(/\s/g, '')
      : cutLines(text)
          .map((line) => line.slice(line.indexOf(':') + 1).split('  ')[0])
          .join('')
          .replace(/\s/g, '');
    tool.out(
      (digits.match(/[\da-fA-F]{2}/g) ?? []).map((pair) => String.fromCharCode(Number.parseInt(pair, 16))).join(''),
    );
    return 0;
  }
  const start = Number(options.value('s') ?? 0);
  const bytes = text.slice(start, options.has('l') ? start + Number(options.value('l')) : undefined);
  const columns = Number(options.value('c') ?? (options.has('p') ? 30 : 16));
  const group = Number(options.value('g') ?? 2);
  for (let at = 0; at < bytes.length; at += columns) {
    const row = [...bytes.slice(at, at + columns)];
    const digits = row.map((c) => (options.has('u') ? hexOf(c).toUpperCase() : hexOf(c)));
    if (options.has('p')) tool.out(`${digits.join('')}\n`);
    else {
      const cells = digits.map((pair, i) => (i > 0 && i % group === 0 ? ` ${pair}` : pair)).join('');
      const width = columns * 2 + Math.ceil(columns / group) - 1;
      tool.out(
        `${(start + at).toString(16).padStart(8, '0')}: ${cells.padEnd(width)}  ${row.map(printable).join('')}\n`,
      );
    }
  }
  return 0;
});

/** Rows of 16 bytes; equal ones after the first are a star. */
function dumpRows(
  tool: ToolContext,
  text: Bytes,
  base: number,
  address: (at: number) => string,
  row: (bytes: Bytes) => string[],
  showsAll: boolean,
): void {
  let previous: Bytes | undefined;
  let isStarred = false;
  for (let at = 0; at < text.length; at += 16) {
    const bytes = text.slice(at, at + 16);
    if (bytes === previous && bytes.length === 16 && !showsAll) {
      if (!isStarred) tool.out('*\n');
      isStarred = true;
      continue;
    }
    [previous, isStarred] = [bytes, false];
    const lines = row(bytes);
    const prefix = address(base + at);
    lines.forEach((line, i) => tool.out(`${i === 0 ? prefix : ' '.repeat(prefix.length)}${line}\n`));
  }
  const end = address(base + text.length);
  if (end !== '' && (text.length > 0 || base > 0)) tool.out(`${end}\n`);
  else if (end !== '' && tool.name.endsWith('od')) tool.out(`${end}\n`);
}

const NAMED: Readonly<Record<string, string>> = {
  ...{ '\0': '\\0', '\x07': '\\a', '\b': '\\b', '\t': '\\t', '\n': '\\n', '\v': '\\v', '\f': '\\f', '\r': '\\r' },
};

function unitText(bytes: Bytes, kind: string, size: number): string {
  let value = 0n;
  for (let i = size - 1; i >= 0; i--) value = value * 256n + BigInt(bytes.charCodeAt(i) || 0);
  if (kind === 'x') return value.toString(16).padStart(size * 2, '0');
  if (kind === 'o') return value.toString(8).padStart([0, 3, 6, 0, 11, 0, 0, 0, 22][size]!, '0');
  const widths: Readonly<Record<string, readonly number[]>> = {
    u: [0, 3, 5, 0, 10, 0, 0, 0, 20],
    d: [0, 4, 6, 0, 11, 0, 0, 0, 20],
  };
  return (kind === 'd' ? BigInt.asIntN(size * 8, value) : value).toString().padStart(widths[kind]![size]!);
}

export const od = defineTool(
  (tool) => {
    const table = [
      'A,address-radix:',
      't,format:',
      'N,read-bytes:',
      'j,skip-bytes:',
      'v,output-duplicates',
      'w,width::',
      'a',
      'b',
      'c',
      'd',
      'i',
      'o',
      's',
      'x',
      'l',
      'S:',
    ];
    const options = parseOptions(tool, table);
    const skip = parseSize(options.value('j') ?? '0', BLOCKS) ?? 0;
    const limit = parseSize(options.value('N') ?? '', BLOCKS);
    const all = (options.operands.length === 0 ? ['-'] : options.operands).map((path) => tool.input(path)).join('');
    const text = all.slice(skip, limit === undefined ? undefined : skip + limit);
    const radix = options.value('A') ?? 'o';
    const address = (at: number) =>
      radix === 'n' ? '' : at.toString({ o: 8, d: 10, x: 16 }[radix] ?? 8).padStart(radix === 'x' ? 6 : 7, '0');
    const short: Readonly<Record<string, string>> = {
      a: 'a',
      b: 'o1',
      c: 'c',
      d: 'u2',
      i: 'd4',
      o: 'o2',
      s: 'd2',
      x: 'x2',
      l: 'd8',
    };
    const formats = options.all.flatMap(([key, value]) =>
      key === 't' ? (value.match(/[acdoux][1248CSIL]?z?/g) ?? []) : (short[key] ?? []),
    );
    const rows = formats.length === 0 ? ['o2'] : formats;
    const showRow = (bytes: Bytes) => rows.map((format) => odRow(bytes, format));
    dumpRows(tool, text, skip, address, showRow, options.has('v'));
    return 0;
  },
  { usage: '[OPTION]... [FILE]...' },
);

function odRow(bytes: Bytes, format: string): string {
  const kind = format[0]!;
  if (kind === 'c' || kind === 'a') {
    const show = (c: Bytes) => NAMED[c] ?? (/[ -~]/.test(c) ? c : c.charCodeAt(0).toString(8).padStart(3, '0'));
    return [...bytes].map((c) => ` ${show(c).padStart(3)}`).join('');
  }
  const size = { C: 1, S: 2, I: 4, L: 8 }[format[1] ?? 'I'] ?? Number(format[1] ?? 4);
  let line = '';
  for (let at = 0; at < bytes.length; at += size) line += ` ${unitText(bytes.slice(at, at + size), kind, size)}`;
  return format.endsWith('z')
    ? `${line.padEnd((16 / size) * (unitText('', kind, size).length + 1))}  >${[...bytes].map(printable).join('')}<`
    : line;
}

export const hexdump = defineTool((tool) => {
  const options = parseOptions(tool, ['C,canonical', 'n,length:', 's,skip:', 'v', 'x', 'c', 'b', 'd', 'o', 'e:']);
  const skip = Number(options.value('s') ?? 0);
  const all = (options.operands.length === 0 ? ['-'] : options.operands).map((path) => tool.input(path)).join('');
  const text = all.slice(skip, options.has('n') ? skip + Number(options.value('n')) : undefined);
  const width = options.has('C') ? 8 : 7;
  const address = (at: number) => at.toString(16).padStart(width, '0');
  const canonical = (bytes: Bytes) => {
    const cells = [...bytes].map((c, i) => `${i === 8 ? ' ' : ''} ${hexOf(c)}`).join('');
    return [` ${cells.padEnd(50)} |${[...bytes].map(printable).join('')}|`];
  };
  const plain = (bytes: Bytes) => {
    if (options.has('c')) return [odRow(bytes, 'c')];
    const words: string[] = [];
    for (let at = 0; at < 16; at += 2)
      words.push(at < bytes.length ? unitText(bytes.slice(at, at + 2), 'x', 2) : '    ');
    return [options.has('x') ? words.map((word) => `    ${word}`).join('') : ` ${words.join(' ')}`];
  };
  dumpRows(tool, text, skip, address, options.has('C') ? canonical : plain, options.has('v'));
  return 0;
});

const SPLIT_OPTIONS = [
  'a,suffix-length:',
  'b,bytes:',
  'l,lines:',
  'n,number:',
  'd,numeric-suffixes::',
  'additional-suffix:',
];

export const split = defineTool(
  (tool) => {
    const options = parseOptions(tool, SPLIT_OPTIONS);
    const [path = '-', prefix = 'x'] = options.operands;
    const text = tool.input(path);
    const bytes = options.value('b');
    const size = bytes === undefined ? undefined : parseSize(bytes, BLOCKS);
    if (bytes !== undefined && !size) throw new ToolFailure(`invalid number of bytes: ${quoteName(bytes)}`);
    const pieces = cutPieces(text, size, Number(options.value('l') ?? 1_000), Number(options.value('n') ?? 0));
    const length = Number(options.value('a') ?? 2);
    pieces.forEach((piece, i) => {
      const name = `${prefix}${suffixAt(i, length, options.has('d'))}${options.value('additional-suffix') ?? ''}`;
      writeWholeFile(tool.sys, name, piece, { mode: 0o666 });
    });
    return 0;
  },
  { usage: '[OPTION]... [FILE [PREFIX]]' },
);

function cutPieces(text: Bytes, size: number | undefined, lines: number, count: number): Bytes[] {
  const pieces: Bytes[] = [];
  if (count > 0) {
    const each = Math.floor(text.length / count);
    for (let i = 0; i < count; i++) pieces.push(text.slice(i * each, i === count - 1 ? undefined : (i + 1) * each));
    return pieces;
  }
  if (size !== undefined) {
    for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size));
    return pieces;
  }
  const all = cutLines(text);
  for (let at = 0; at < all.length; at += lines) pieces.push(all.slice(at, at + lines).join(''));
  return pieces;
}

function suffixAt(index: number, length: number, isNumeric: boolean): Bytes {
  const base = isNumeric ? 10 : 26;
  if (index >= base ** length) throw new ToolFailure('output file suffixes exhausted');
  let suffix = '';
  for (let i = 0, rest = index; i < length; i++, rest = Math.floor(rest / base)) {
    suffix = (isNumeric ? String(rest % base) : String.fromCharCode(97 + (rest % base))) + suffix;
  }
  return suffix;
}
