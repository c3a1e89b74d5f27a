import type { Bytes } from '../../../engine/kernel/bytes.js';

/** The frames of ZooKeeper's protocol: jute's records, big-endian. */
export const int = (value: number): Bytes =>
  String.fromCharCode((value >>> 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255);
/** 64 bits of a whole number below 2^53, or -1. */
export const long = (value: number): Bytes =>
  value < 0 ? '\xff'.repeat(8) : int(Math.floor(value / 2 ** 32)) + int(value % 2 ** 32);
export const text = (value: Bytes): Bytes => int(value.length) + value;
export const list = (values: readonly Bytes[]): Bytes => int(values.length) + values.map(text).join('');
export const frame = (body: Bytes): Bytes => int(body.length) + body;

const MAX_FRAME = 1 << 20;

export const readInt = (bytes: Bytes, at: number): number =>
  (bytes.charCodeAt(at) << 24) |
  (bytes.charCodeAt(at + 1) << 16) |
  (bytes.charCodeAt(at + 2) << 8) |
  bytes.charCodeAt(at + 3);

/** The first frame's body; undefined: it is not whole, 'bad': it cannot be. */
export function takeFrame(received: Bytes): { readonly body: Bytes; readonly length: number } | 'bad' | undefined {
  if (received.length < 4) return undefined;
  const size = readInt(received, 0);
  if (size < 0 || size > MAX_FRAME) return 'bad';
  return received.length < 4 + size ? undefined : { body: received.slice(4, 4 + size), length: 4 + size };
}

/** Reads a record; what is not there reads as 0 or ''. */
export class Record {
  private at = 0;

  constructor(private readonly bytes: Bytes) {}

  int(): number {
    this.at += 4;
    return readInt(this.bytes, this.at - 4) | 0;
  }
  long(): number {
    const high = this.int();
    const low = this.int() >>> 0;
    return high < 0 ? -1 : high * 2 ** 32 + low;
  }
  flag(): boolean {
    return this.bytes.charCodeAt(this.at++) === 1;
  }
  text(): Bytes {
    const length = this.int();
    if (length <= 0) return '';
    this.at += length;
    return this.bytes.slice(this.at - length, this.at);
  }
  list(): Bytes[] {
    const count = Math.min(Math.max(0, this.int()), this.bytes.length);
    return Array.from({ length: count }, () => this.text());
  }
}

/** Operations by their numbers, and errors. */
export const OPERATION = {
  ...{ create: 1, delete: 2, exists: 3, get: 4, set: 5, getAcl: 6, list: 8, sync: 9, ping: 11, list2: 12, create2: 15 },
  ...{ close: -11 },
} as const;
export const ERROR = {
  ...{ noNode: -101, badVersion: -103, noChildrenOfEphemerals: -108, nodeExists: -110, notEmpty: -111 },
  ...{ connectionLoss: -4, badArguments: -8, unimplemented: -6 },
} as const;
