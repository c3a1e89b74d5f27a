import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { FileType } from '../../../engine/kernel/files/file.js';

/** One entry of an archive, without its content. */
export interface TarEntry {
  readonly name: Bytes;
  readonly type: FileType | 'hardlink';
  readonly mode: number;
  readonly user: number;
  readonly group: number;
  readonly userName: Bytes;
  readonly groupName: Bytes;
  /** Bytes of content that follow. */
  readonly size: number;
  /** Seconds. */
  readonly modified: number;
  readonly target: Bytes;
  readonly device: readonly [number, number];
}

export const BLOCK = 512;
const FLAGS: Readonly<Record<string, TarEntry['type']>> = {
  ...{
    '0': 'file',
    '\0': 'file',
    '7': 'file',
    '1': 'hardlink',
    '2': 'link',
    '3': 'char',
    '4': 'block',
    '5': 'directory',
  },
  '6': 'fifo',
};
const FLAG_OF: Readonly<Record<string, string>> = {
  ...{ file: '0', hardlink: '1', link: '2', char: '3', block: '4', directory: '5', fifo: '6', socket: '0' },
};

/** Zeros after so many bytes, up to the end of their last block. */
export const padding = (length: number): number => (BLOCK - (length % BLOCK)) % BLOCK;
const padBlock = (bytes: Bytes) => bytes + '\0'.repeat(padding(bytes.length));
const text = (value: Bytes, width: number) => value.slice(0, width).padEnd(width, '\0');
const octal = (value: number, width: number) => `${value.toString(8).padStart(width - 1, '0')}\0`;

/**
 * A header in GNU's form, byte for byte as GNU tar writes it; long names go before it as an entry of their own. The
 * content and its padding follow.
 */
export function encodeEntry(entry: TarEntry): Bytes {
  const long = (flag: string, value: Bytes) =>
    encodeHeader({ ...longLink, size: value.length + 1 }, flag) + padBlock(`${value}\0`);
  const longName = entry.name.length > 100 ? long('L', entry.name) : '';
  const longTarget = entry.target.length > 100 ? long('K', entry.target) : '';
  return longTarget + longName + encodeHeader(entry, FLAG_OF[entry.type]!);
}

const longLink: TarEntry = {
  ...{
    name: '././@LongLink',
    type: 'file',
    mode: 0o644,
    user: 0,
    group: 0,
    userName: 'root',
    groupName: 'root',
    size: 0,
  },
  ...{ modified: 0, target: '', device: [0, 0] },
};

function encodeHeader(entry: TarEntry, flag: string): Bytes {
  const isDevice = entry.type === 'char' || entry.type === 'block';
  const start =
    text(entry.name, 100) +
    octal(entry.mode & 0o7777, 8) +
    octal(entry.user, 8) +
    octal(entry.group, 8) +
    octal(entry.size, 12) +
    octal(Math.max(0, entry.modified), 12);
  const device = isDevice ? octal(entry.device[0], 8) + octal(entry.device[1], 8) : '\0'.repeat(16);
  const owner = text(entry.userName, 32) + text(entry.groupName, 32);
  const end = `${flag}${text(entry.target, 100)}ustar  \0${owner}${device}`;
  const blank = `${start}        ${end}`.padEnd(BLOCK, '\0');
  const sum = checksumOf(blank).toString(8).padStart(6, '0');
  return `${start}${sum}\0 ${end}`.padEnd(BLOCK, '\0');
}

function checksumOf(header: Bytes): number {
  let sum = 0;
  for (let i = 0; i < BLOCK; i++) sum += i >= 148 && i < 156 ? 32 : header.charCodeAt(i);
  return sum;
}

/** Two empty blocks end an archive, which GNU fills up to a record of 20 blocks. */
export function endArchive(length: number): Bytes {
  const record = BLOCK * 20;
  const total = Math.ceil((length + 2 * BLOCK) / record) * record;
  return '\0'.repeat(total - length);
}

const cString = (bytes: Bytes) => {
  const end = bytes.indexOf('\0');
  return end < 0 ? bytes : bytes.slice(0, end);
};

function readOctal(bytes: Bytes): number {
  if (bytes.charCodeAt(0) & 0x80) {
    let value = 0;
    for (let i = 1; i < bytes.length; i++) value = value * 256 + bytes.charCodeAt(i);
    return value;
  }
  return Number.parseInt(/[0-7]+/.exec(bytes)?.[0] ?? '0', 8);
}

/** What the entry before an entry says of it: long names, and pax' records. */
export type TarExtra = {
  name: Bytes | null;
  target: Bytes | null;
  size: number | null;
  modified: number | null;
};

export const NO_EXTRA: TarExtra = { name: null, target: null, size: null, modified: null };

/** A block of an archive: an entry, something that is said of the next one, or the end. */
export type TarBlock =
  | { readonly type: 'entry'; readonly entry: TarEntry }
  | { readonly type: 'extra'; readonly flag: 'L' | 'K' | 'x' | 'g'; readonly size: number }
  | { readonly type: 'end' };

/** Reads a header of GNU's, ustar's or pax' form. Undefined: it is none. */
export function decodeHeader(header: Bytes, extra: TarExtra): TarBlock | undefined {
  if (isZero(header)) return { type: 'end' };
  const number = (from: number, length: number) => readOctal(header.slice(from, from + length));
  const field = (from: number, length: number) => cString(header.slice(from, from + length));
  if (number(148, 8) !== checksumOf(header)) return undefined;
  const flag = header[156]!;
  if (flag === 'L' || flag === 'K' || flag === 'x' || flag === 'g')
    return { type: 'extra', flag, size: number(124, 12) };
  const prefix = header.slice(257, 263) === 'ustar\0' ? field(345, 155) : '';
  const name = extra.name ?? (prefix === '' ? field(0, 100) : `${prefix}/${field(0, 100)}`);
  const known = FLAGS[flag] ?? 'file';
  const entry: TarEntry = {
    name,
    type: known === 'file' && name.endsWith('/') ? 'directory' : known,
    mode: number(100, 8),
    user: number(108, 8),
    group: number(116, 8),
    userName: field(265, 32),
    groupName: field(297, 32),
    // Links and devices have no content, whatever their header says.
    size: '123456'.includes(flag) ? 0 : (extra.size ?? number(124, 12)),
    modified: extra.modified ?? number(136, 12),
    target: extra.target ?? field(157, 100),
    device: [number(329, 8), number(337, 8)],
  };
  return { type: 'entry', entry };
}

function isZero(header: Bytes): boolean {
  for (let i = 0; i < header.length; i++) if (header.charCodeAt(i) !== 0) return false;
  return true;
}

/** What an entry of one of these flags says of the next one. */
export function readExtra(flag: 'L' | 'K' | 'x' | 'g', content: Bytes): Partial<TarExtra> {
  if (flag === 'L') return { name: cString(content) };
  if (flag === 'K') return { target: cString(content) };
  return flag === 'x' ? readPax(content) : {};
}

/** Records `LENGTH key=value\n`. */
function readPax(content: Bytes): Partial<TarExtra> {
  const found: Partial<TarExtra> = {};
  for (let at = 0; at < content.length;) {
    const length = Number.parseInt(content.slice(at), 10);
    if (!(length > 0)) break;
    const [, key, value] = /^\d+ ([^=]+)=([^]*)\n$/.exec(content.slice(at, at + length)) ?? [];
    if (key === 'path') found.name = value;
    if (key === 'linkpath') found.target = value;
    if (key === 'size') found.size = Number(value);
    if (key === 'mtime') found.modified = Math.floor(Number(value));
    at += length;
  }
  return found;
}
