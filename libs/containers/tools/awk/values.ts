import type { Bytes } from '../../../engine/kernel/bytes.js';
import { formatField } from '../coreutils/printing/printf.js';

/**
 * A value as plain data: null is uninitialized; `s` and `n` are input that looks like a number; `r` is a regular
 * expression; `a` refers to an array, and `u` to one that an uninitialized variable may become.
 */
export type Cell = null | number | string | { s: string; n: number } | { r: string } | { a: string } | { u: string };

const NUMERIC = /^[ \t\n\r]*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?[ \t\n\r]*$/;
const PREFIX = /^[ \t\n\r]*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)/;

/** A field, or what getline read: a number too, when it looks like one. */
export const inputCell = (text: Bytes): Cell =>
  text.length < 64 && NUMERIC.test(text) ? { s: text, n: Number(text) } : text;

export function numberOf(cell: Cell): number {
  if (typeof cell === 'number') return cell;
  if (typeof cell === 'string') return Number(PREFIX.exec(cell.slice(0, 64))?.[1] ?? 0);
  return cell !== null && 'n' in cell ? cell.n : 0;
}

export function textOf(cell: Cell, format = '%.6g'): Bytes {
  if (typeof cell === 'string') return cell;
  if (typeof cell === 'number') return formatNumber(cell, format);
  if (cell === null) return '';
  return 's' in cell ? cell.s : 'r' in cell ? cell.r : '';
}

function formatNumber(value: number, format: string): Bytes {
  if (Number.isInteger(value))
    return Math.abs(value) < 1e21 ? String(value === 0 ? 0 : value) : BigInt(value).toString();
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf';
  return formatAwk(format, [value]);
}

export const isTrue = (cell: Cell): boolean =>
  typeof cell === 'number'
    ? cell !== 0
    : typeof cell === 'string'
      ? cell !== ''
      : cell !== null && 'n' in cell && cell.n !== 0;

/** Numbers compare as numbers, all else as text. */
export function compareCells(left: Cell, right: Cell): number {
  const isNumeric = (cell: Cell) =>
    cell === null || typeof cell === 'number' || (typeof cell === 'object' && ('n' in cell || 'u' in cell));
  const areNumbers = isNumeric(left) && isNumeric(right);
  const [a, b] = areNumbers ? [numberOf(left), numberOf(right)] : [textOf(left), textOf(right)];
  return a < b ? -1 : a > b ? 1 : 0;
}

const DIRECTIVE = /%([-+ 0#]{0,5})(\*|\d{1,7})?(?:\.(\*|\d{0,7}))?[hlLqjzt]{0,2}([a-zA-Z%])/g;

/** sprintf. */
export function formatAwk(format: Bytes, values: readonly Cell[]): Bytes {
  let next = 0;
  const take = () => values[next++] ?? null;
  return format.replace(DIRECTIVE, (whole, flags: string, width?: string, precision?: string, kind?: string) => {
    if (kind === '%') return '%';
    let columns = width === '*' ? numberOf(take()) : Number(width ?? 0);
    const isLeft = flags.includes('-') || columns < 0;
    columns = Math.min(Math.abs(columns), 100_000);
    const digits = precision === '*' ? numberOf(take()) : precision === undefined ? undefined : Number(precision || 0);
    const pad = (text: Bytes) => (isLeft ? text.padEnd(columns) : text.padStart(columns));
    if (kind === 's') {
      const text = textOf(take());
      return pad(digits === undefined ? text : text.slice(0, digits));
    }
    if (kind === 'c') {
      const cell = take();
      return pad(typeof cell === 'number' ? String.fromCharCode(cell & 255) : textOf(cell).slice(0, 1));
    }
    if (!'diouxXfFeEgG'.includes(kind!)) return whole;
    return formatField(kind!, isLeft ? `${flags}-` : flags, columns, digits, numberOf(take()));
  });
}
