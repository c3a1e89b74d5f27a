import { deflateSync, inflateSync } from 'fflate';
import { type Bytes, fromArray, toArray } from '../../../engine/kernel/bytes.js';
import type { Millis } from '../../../engine/machinery/time/time.js';

/** A member of an archive of zip. Folders end with a slash. */
export interface ZipEntry {
  readonly name: Bytes;
  /** Permission bits and type, as stat(2) has them. */
  readonly mode: number;
  readonly modified: Millis;
  readonly size: number;
  readonly crc: number;
  readonly isDeflated: boolean;
  /** As it stands in the archive. */
  readonly packed: Bytes;
}

/** Bytes that one member may unpack to. */
const MAX_UNPACKED = 64 << 20;
const LOCAL = 'PK\x03\x04';
const CENTRAL = 'PK\x01\x02';
const END = 'PK\x05\x06';
const END_BYTES = 22;
const LOCAL_BYTES = 30;
const CENTRAL_BYTES = 46;
const MAX_COMMENT = 65_535;
/** Made by Unix, as of version 3.0 of the format. */
const MADE_BY = (3 << 8) | 30;
const DEFLATED = 8;

const CRC_TABLE = Array.from({ length: 256 }, (_, i) => {
  let crc = i;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc >>> 0;
});

function crcOf(bytes: Bytes): number {
  let crc = ~0;
  for (let i = 0; i < bytes.length; i++) crc = (crc >>> 8) ^ CRC_TABLE[(crc ^ bytes.charCodeAt(i)) & 255]!;
  return ~crc >>> 0;
}

const little = (value: number, length: number): Bytes =>
  Array.from({ length }, (_, i) => String.fromCharCode(Math.floor(value / 256 ** i) & 255)).join('');

const readLittle = (bytes: Bytes, at: number, length: number): number =>
  Array.from({ length }, (_, i) => bytes.charCodeAt(at + i) * 256 ** i).reduce((sum, part) => sum + part, 0);

/** MS-DOS' date and time, to two seconds. */
function formatTime(at: Millis): Bytes {
  const date = new Date(at);
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  const day = ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  return little(time, 2) + little(day, 2);
}

function parseTime(time: number, day: number): Millis {
  const [year, month] = [(day >> 9) + 1980, ((day >> 5) & 15) - 1];
  return Date.UTC(year, month, day & 31, time >> 11, (time >> 5) & 63, (time & 31) * 2);
}

/** What does not get smaller is stored as it is. */
export function pack(name: Bytes, content: Bytes, mode: number, modified: Millis): ZipEntry {
  const packed = content === '' ? '' : fromArray(deflateSync(toArray(content)));
  const isDeflated = packed.length < content.length;
  const crc = crcOf(content);
  return { name, mode, modified, size: content.length, crc, isDeflated, packed: isDeflated ? packed : content };
}

/** Undefined: it is damaged, or says that it unpacks to too much. */
export function unpackEntry({ packed, isDeflated, size, crc }: ZipEntry): Bytes | undefined {
  if (size > MAX_UNPACKED || size > packed.length * 1_100) return undefined;
  try {
    const content = isDeflated ? fromArray(inflateSync(toArray(packed), { out: new Uint8Array(size) })) : packed;
    return crcOf(content) === crc ? content : undefined;
  } catch {
    return undefined;
  }
}

const common = (entry: ZipEntry): Bytes =>
  little(20, 2) +
  little(0, 2) +
  little(entry.isDeflated ? DEFLATED : 0, 2) +
  formatTime(entry.modified) +
  little(entry.crc, 4) +
  little(entry.packed.length, 4) +
  little(entry.size, 4) +
  little(entry.name.length, 2);

export function formatZip(entries: readonly ZipEntry[]): Bytes {
  let body = '';
  let directory = '';
  for (const entry of entries) {
    const external = entry.mode * 65_536 + (entry.name.endsWith('/') ? 16 : 0);
    const tail = little(0, 8) + little(external, 4) + little(body.length, 4);
    directory += CENTRAL + little(MADE_BY, 2) + common(entry) + tail + entry.name;
    body += LOCAL + common(entry) + little(0, 2) + entry.name + entry.packed;
  }
  const count = little(entries.length, 2);
  return (
    body +
    directory +
    END +
    little(0, 4) +
    count +
    count +
    little(directory.length, 4) +
    little(body.length, 4) +
    little(0, 2)
  );
}

/** Undefined: it is no archive of zip. */
export function parseZip(bytes: Bytes): ZipEntry[] | undefined {
  const end = bytes.lastIndexOf(END);
  if (end < 0 || bytes.length - end > MAX_COMMENT + END_BYTES) return undefined;
  const entries: ZipEntry[] = [];
  let at = readLittle(bytes, end + 16, 4);
  for (let left = readLittle(bytes, end + 10, 2); left > 0; left--) {
    if (!bytes.startsWith(CENTRAL, at)) return undefined;
    const number = (offset: number, length: number): number => readLittle(bytes, at + offset, length);
    const [nameBytes, extra, comment] = [number(28, 2), number(30, 2), number(32, 2)];
    const local = number(42, 4);
    const start = local + LOCAL_BYTES + readLittle(bytes, local + 26, 2) + readLittle(bytes, local + 28, 2);
    const name = bytes.slice(at + CENTRAL_BYTES, at + CENTRAL_BYTES + nameBytes);
    entries.push({
      name,
      mode: Math.floor(number(38, 4) / 65_536) || (name.endsWith('/') ? 0o40755 : 0o100644),
      modified: parseTime(number(12, 2), number(14, 2)),
      size: number(24, 4),
      crc: number(16, 4),
      isDeflated: number(10, 2) === DEFLATED,
      packed: bytes.slice(start, start + number(20, 4)),
    });
    at += CENTRAL_BYTES + nameBytes + extra + comment;
  }
  return entries;
}
