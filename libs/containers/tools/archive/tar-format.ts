import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { FileType } from '../../../engine/kernel/files/file.js';

/** One entry of an archive. */
export interface TarEntry {
  readonly name: Bytes;
  readonly type: FileType | 'hardlink';
  readonly mode: number;
  readonly user: number;
  readonly group: number;
  readonly userName: Bytes;
  readonly groupName: Bytes;
  readonly size: number;
  /** Seconds. */
  readonly modified: number;
  readonly target: Bytes;
  readonly device: readonly [number, number];
  readonly content: Bytes;
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

const padBlock = (bytes: Bytes) => bytes + '\0'.repeat((BLOCK - (bytes.length % BLOCK)) % BLOCK);
const text = (value: Bytes, width: number) => value.slice(0, width).padEnd(width, '\0');
const octal = (value: number, width: number) => `${value.toString(8).padStart(width - 1, '0')}\0`;

/** A header in GNU's form, byte for byte as GNU tar writes it; long names go before it as an entry of their own. */
export function encodeEntry(entry: TarEntry): Bytes {
  const long = (flag: string, value: Bytes) =>
    encodeHeader({ ...longLink, size: value.length + 1 }, flag) + padBlock(`${value}\0`);
  const longName = entry.name.length > 100 ? long('L', entry.name) : '';
  const longTarget = entry.target.length > 100 ? long('K', entry.target) : '';
  return longTarget + longName + encodeHeader(entry, FLAG_OF[entry.type]!) + padBlock(entry.content);
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
  ...{ modified: 0, target: '', device: [0, 0], content: '' },
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

export type TarFault = 'not-an-archive' | 'truncated';

/** Reads GNU's, ustar's and pax' entries. `fault` says what ended the reading early. */
export function decodeArchive(bytes: Bytes): { readonly entries: TarEntry[]; readonly fault?: TarFault } {
  const entries: TarEntry[] = [];
  let extra: { name?: Bytes; target?: Bytes; size?: number; modified?: number } = {};
  for (let at = 0; at + BLOCK <= bytes.length;) {
    const header = bytes.slice(at, at + BLOCK);
    if (/^\0*$/.test(header)) return { entries };
    const field = (from: number, length: number) => cString(header.slice(from, from + length));
    if (readOctal(header.slice(148, 156)) !== checksumOf(header)) {
      return { entries, fault: 'not-an-archive' };
    }
    const flag = header[156]!;
    const size = extra.size ?? readOctal(header.slice(124, 136));
    const content = bytes.slice(at + BLOCK, at + BLOCK + size);
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    const holdsContent = !'123456'.includes(flag);
    if (content.length < size && holdsContent) return { entries, fault: 'truncated' };
    if (flag === 'L') extra = { ...extra, name: cString(content) };
    else if (flag === 'K') extra = { ...extra, target: cString(content) };
    else if (flag === 'x') extra = { ...extra, ...readPax(content) };
    else if (flag !== 'g') {
      const prefix = header.slice(257, 263) === 'ustar\0' ? field(345, 155) : '';
      const name = extra.name ?? (prefix === '' ? field(0, 100) : `${prefix}/${field(0, 100)}`);
      const type = FLAGS[flag] ?? 'file';
      entries.push({
        ...{
          name,
          type: type === 'file' && name.endsWith('/') ? 'directory' : type,
          mode: readOctal(header.slice(100, 108)),
        },
        ...{ user: readOctal(header.slice(108, 116)), group: readOctal(header.slice(116, 124)), size },
        ...{ userName: field(265, 32), groupName: field(297, 32), target: extra.target ?? field(157, 100) },
        modified: extra.modified ?? readOctal(header.slice(136, 148)),
        device: [readOctal(header.slice(329, 337)), readOctal(header.slice(337, 345))],
        content: holdsContent ? content : '',
      });
      extra = {};
    }
  }
  return bytes.length > 0 && entries.length === 0 ? { entries, fault: 'not-an-archive' } : { entries };
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

/** Records `LENGTH key=value\n`. */
function readPax(content: Bytes): { name?: Bytes; target?: Bytes; size?: number; modified?: number } {
  const found: { name?: Bytes; target?: Bytes; size?: number; modified?: number } = {};
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
