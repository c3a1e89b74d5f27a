import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { unescapeBytes } from '../../format.js';
import { quoteName } from '../../framework/options.js';
import { defineTool, ToolFailure, UsageFailure } from '../../framework/tool.js';
import { trimEnd } from '../../names.js';

const DIRECTIVE = /%(?:%|([-+ 0#']{0,6})(\*|\d{1,7})?(?:\.(\*|\d{0,7}))?(?:hh|[hlLqjzt]){0,2}([a-zA-Z]))/g;
/** Columns of one field. */
const MAX_WIDTH = 1_000_000;

/** A width that nobody has the memory for is refused, not cut. */
function boundWidth(width: number): number {
  if (width > MAX_WIDTH) throw new ToolFailure('write error: Cannot allocate memory');
  return width;
}

/** The format is used again while arguments are left. */
export const printf = defineTool(
  (tool) => {
    const args = tool.args[0] === '--' ? tool.args.slice(1) : tool.args;
    if (args.length === 0) throw new UsageFailure(tool.flavour === 'gnu' ? 'missing operand' : '');
    const [format = '', ...values] = args;
    const { text, isBad, warnings } = formatAll(format, values);
    tool.out(text);
    for (const warning of warnings) tool.warn(warning);
    return isBad ? 1 : 0;
  },
  { usage: 'FORMAT [ARGUMENT]...' },
);

export interface Formatted {
  readonly text: Bytes;
  readonly isBad: boolean;
  readonly warnings: readonly Bytes[];
}

/** printf(1) as a function: for the shell's builtin, too. */
export function formatAll(format: Bytes, values: readonly Bytes[]): Formatted {
  const rest = [...values];
  const warnings: Bytes[] = [];
  let text = '';
  do {
    const before = rest.length;
    const round = formatOnce(format, rest, warnings);
    text += round.text;
    if (round.isEnd || rest.length === before) break;
  } while (rest.length > 0);
  return { text, isBad: warnings.length > 0, warnings };
}

function formatOnce(format: Bytes, rest: Bytes[], warnings: Bytes[]): { text: Bytes; isEnd: boolean } {
  let text = '';
  let at = 0;
  for (const match of format.matchAll(DIRECTIVE)) {
    const literal = unescapeBytes(format.slice(at, match.index), true);
    text += literal.bytes;
    if (literal.isEnd) return { text, isEnd: true };
    at = match.index + match[0].length;
    if (match[0] === '%%') {
      text += '%';
      continue;
    }
    const [, flags = '', width = '', precision, kind = ''] = match;
    const columns = width === '*' ? Number(rest.shift() ?? 0) : Number(width || 0);
    const digits =
      precision === '*' ? Number(rest.shift() ?? 0) : precision === undefined ? undefined : Number(precision || 0);
    if (!'diouxXfFeEgGaAcsbq'.includes(kind)) {
      warnings.push(`${match[0]}: invalid conversion specification`);
      return { text, isEnd: true };
    }
    const field = convert(kind, flags, digits, rest.shift(), warnings);
    text += pad(field.text, flags + (columns < 0 ? '-' : ''), boundWidth(Math.abs(columns)), kind, digits);
    if (field.isEnd) return { text, isEnd: true };
  }
  const literal = unescapeBytes(format.slice(at), true);
  return { text: text + literal.bytes, isEnd: literal.isEnd };
}

function convert(kind: string, flags: string, digits: number | undefined, value: Bytes | undefined, warnings: Bytes[]) {
  const whole = (text: Bytes) => ({ text, isEnd: false });
  const cut = (text: Bytes) => (digits === undefined ? text : text.slice(0, digits));
  if (kind === 's') return whole(cut(value ?? ''));
  if (kind === 'c') return whole((value ?? '').slice(0, 1));
  if (kind === 'q') return whole(quoteForShell(value ?? ''));
  if (kind === 'b') {
    const { bytes, isEnd } = unescapeBytes(value ?? '');
    return { text: cut(bytes), isEnd };
  }
  const number = readNumber(value ?? '', warnings, 'fFeEgGaA'.includes(kind));
  return whole(formatNumber(kind, flags, digits, number));
}

/** A number of C, or a quote and a character, whose code it is. */
export function readNumber(value: Bytes, warnings: Bytes[], isFloat: boolean): number {
  if (value === '') return 0;
  if (value.startsWith('"') || value.startsWith("'")) return value.charCodeAt(1) || 0;
  const pattern = isFloat
    ? /^\s*([-+]?)(0[xX][\da-fA-F]+|\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|inf|nan)/i
    : /^\s*([-+]?)(0[xX][\da-fA-F]+|\d+)/;
  const match = pattern.exec(value);
  if (match === null) {
    warnings.push(`${quoteName(value)}: expected a numeric value`);
    return 0;
  }
  if (match[0].length < value.length) warnings.push(`${quoteName(value)}: value not completely converted`);
  const digits = match[2]!;
  const isOctal = !isFloat && /^0[0-7]+$/.test(digits);
  const magnitude = isOctal ? Number.parseInt(digits, 8) : /^inf/i.test(digits) ? Infinity : Number(digits);
  return match[1] === '-' ? -magnitude : magnitude;
}

export function formatNumber(kind: string, flags: string, digits: number | undefined, number: number): Bytes {
  const sign = (text: Bytes) =>
    /^[-]/.test(text) ? text : flags.includes('+') ? `+${text}` : flags.includes(' ') ? ` ${text}` : text;
  const fill = (text: Bytes) => {
    const [, minus, rest] = /^(-?)(.*)$/.exec(text)!;
    return minus! + rest!.padStart(digits ?? 0, '0');
  };
  switch (kind) {
    case 'd':
    case 'i':
      return sign(fill(String(BigInt(Math.trunc(Number.isFinite(number) ? number : 0)))));
    case 'u':
      return fill(unsigned(number, 10));
    case 'o':
      return (flags.includes('#') ? '0' : '') + fill(unsigned(number, 8));
    case 'x':
      return (flags.includes('#') && number !== 0 ? '0x' : '') + fill(unsigned(number, 16));
    case 'X':
      return (flags.includes('#') && number !== 0 ? '0X' : '') + fill(unsigned(number, 16).toUpperCase());
    default:
      return sign(formatFloat(kind, flags, digits, number));
  }
}

const unsigned = (number: number, base: number) => BigInt.asUintN(64, BigInt(Math.trunc(number))).toString(base);

function formatFloat(kind: string, flags: string, digits: number | undefined, number: number): Bytes {
  const upper = (text: Bytes) => (kind === kind.toUpperCase() ? text.toUpperCase() : text);
  if (!Number.isFinite(number)) return upper(Number.isNaN(number) ? 'nan' : number < 0 ? '-inf' : 'inf');
  const precision = Math.min(digits ?? 6, 100);
  const exponent = (text: Bytes) => text.replace(/e([-+])(\d)$/, 'e$10$2');
  const lower = kind.toLowerCase();
  if (lower === 'f') return toFixed(number, precision);
  if (lower === 'e') return upper(exponent(number.toExponential(precision)));
  const significant = Math.max(1, precision);
  const power = number === 0 ? 0 : Number(number.toExponential(significant - 1).split('e')[1]);
  const isPlain = power >= -4 && power < significant;
  const text = isPlain ? number.toFixed(Math.max(0, significant - 1 - power)) : number.toExponential(significant - 1);
  const trimmed = flags.includes('#') ? text : trimZeros(text);
  return upper(exponent(trimmed));
}

/** Without zeros at the end of a fraction, and without a point that has nothing behind it. */
function trimZeros(text: Bytes): Bytes {
  const [digits = '', exponent] = text.split('e');
  const short = digits.includes('.') ? trimEnd(trimEnd(digits, '0'), '.') : digits;
  return exponent === undefined ? short : `${short}e${exponent}`;
}

/** toFixed gives an exponent from 1e21 on. */
const toFixed = (number: number, precision: number): Bytes =>
  Math.abs(number) < 1e21
    ? number.toFixed(precision)
    : `${BigInt(number)}${precision > 0 ? `.${'0'.repeat(precision)}` : ''}`;

function pad(text: Bytes, flags: string, width: number, kind: string, digits: number | undefined): Bytes {
  if (text.length >= width) return text;
  if (flags.includes('-')) return text.padEnd(width);
  const isInteger = 'diouxX'.includes(kind);
  const isZero = flags.includes('0') && !'scbq'.includes(kind) && !(isInteger && digits !== undefined);
  if (!isZero) return text.padStart(width);
  const [, prefix = '', rest = ''] = /^([-+ ]?(?:0[xX])?)(.*)$/.exec(text) ?? [];
  return prefix + rest.padStart(width - prefix.length, '0');
}

/** A word as the shell reads it back. */
export function quoteForShell(text: Bytes): Bytes {
  if (text === '') return "''";
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return text.includes("'") ? `'${text.replaceAll("'", "'\\''")}'` : `'${text}'`;
}

/** awk's and the shell's callers have values already. */
export const formatField = (
  kind: string,
  flags: string,
  width: number,
  digits: number | undefined,
  value: number,
): Bytes => pad(formatNumber(kind, flags, digits, value), flags, boundWidth(width), kind, digits);
