import { bytesOf, textOf, type Bytes } from '../../../../../engine/kernel/bytes.js';
import type { PgFailure } from '../failure.js';
import type { Column } from '../sql/query.js';
import { oidOf, splitType, TYPES } from '../sql/types.js';

/** The frames of PostgreSQL's protocol 3.0. */
export const int32 = (value: number): Bytes =>
  String.fromCharCode((value >>> 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255);
export const int16 = (value: number): Bytes => String.fromCharCode((value >>> 8) & 255, value & 255);
export const readInt32 = (bytes: Bytes, at: number): number =>
  (bytes.charCodeAt(at) << 24) |
  (bytes.charCodeAt(at + 1) << 16) |
  (bytes.charCodeAt(at + 2) << 8) |
  bytes.charCodeAt(at + 3) |
  0;
export const readInt16 = (bytes: Bytes, at: number): number => (bytes.charCodeAt(at) << 8) | bytes.charCodeAt(at + 1);

export const frame = (type: string, body: Bytes): Bytes => type + int32(body.length + 4) + body;
export const cstring = (text: string): Bytes => `${bytesOf(text)}\0`;

export const MAX_MESSAGE = 2 << 20;

/** The first message of a buffer. Undefined: it is not whole; 'bad': it cannot be one. */
export function readFrame(
  bytes: Bytes,
  isTyped: boolean,
): { readonly type: string; readonly body: Bytes; readonly length: number } | 'bad' | undefined {
  const head = isTyped ? 1 : 0;
  if (bytes.length < head + 4) return undefined;
  const size = readInt32(bytes, head);
  if (size < 4 || size > MAX_MESSAGE) return 'bad';
  const length = head + size;
  if (bytes.length < length) return undefined;
  return { type: isTyped ? bytes[0]! : '', body: bytes.slice(head + 4, length), length };
}

/** Texts that end with a zero. */
export class Reader {
  at = 0;
  constructor(private readonly bytes: Bytes) {}

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }
  text(): string {
    const end = this.bytes.indexOf('\0', this.at);
    const found = this.bytes.slice(this.at, end < 0 ? undefined : end);
    this.at = end < 0 ? this.bytes.length : end + 1;
    return textOf(found);
  }
  int16(): number {
    this.at += 2;
    return readInt16(this.bytes, this.at - 2);
  }
  int32(): number {
    this.at += 4;
    return readInt32(this.bytes, this.at - 4);
  }
  take(length: number): Bytes {
    this.at += length;
    return this.bytes.slice(this.at - length, this.at);
  }
}

export function rowDescription(columns: readonly Column[]): Bytes {
  const fields = columns.map(({ name, type }) => {
    const { base, numbers } = splitType(type);
    const [, size = -1] = TYPES[base] ?? [];
    const modifier = base === 'varchar' || base === 'bpchar' ? (numbers[0] ?? -5) + 4 : -1;
    return `${cstring(name)}${int32(0)}${int16(0)}${int32(oidOf(type))}${int16(size)}${int32(modifier)}${int16(0)}`;
  });
  return frame('T', int16(columns.length) + fields.join(''));
}

export function dataRow(row: readonly (string | null)[]): Bytes {
  const fields = row.map((value) => {
    if (value === null) return int32(-1);
    const bytes = bytesOf(value);
    return int32(bytes.length) + bytes;
  });
  return frame('D', int16(row.length) + fields.join(''));
}

export const commandComplete = (tag: string): Bytes => frame('C', cstring(tag));
export const readyForQuery = (status: 'I' | 'T' | 'E'): Bytes => frame('Z', status);

export function errorResponse(
  { code, message, more }: PgFailure,
  isNotice = false,
  severity = more.severity ?? 'ERROR',
): Bytes {
  const fields = [`S${severity}`, `V${severity}`, `C${code}`, `M${message}`];
  if (more.detail !== undefined) fields.push(`D${more.detail}`);
  if (more.hint !== undefined) fields.push(`H${more.hint}`);
  if (more.position !== undefined) fields.push(`P${more.position}`);
  if (more.table !== undefined) fields.push('spublic', `t${more.table}`);
  if (more.constraint !== undefined) fields.push(`n${more.constraint}`);
  return frame(isNotice ? 'N' : 'E', `${fields.map(cstring).join('')}\0`);
}

/** The fields of an ErrorResponse or NoticeResponse by their letter. */
export function readFields(body: Bytes): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const part of body.split('\0')) if (part !== '') fields[part[0]!] = textOf(part.slice(1));
  return fields;
}
