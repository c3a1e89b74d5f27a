import { checksum, combine } from './crc.js';

const MAX_UNPACKED = 64 << 20;
const MAX_LENGTH = 20;
const GROUP = 50;
const MAX_SELECTORS = 18_002;

class Damaged extends Error {}

class BitReader {
  private at = 0;
  private bit = 0;
  constructor(private readonly bytes: Uint8Array) {}

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }
  /** At most 24 bits. */
  read(width: number): number {
    let value = 0;
    for (let i = 0; i < width; i++) {
      if (this.at >= this.bytes.length) throw new Damaged();
      value = (value << 1) | ((this.bytes[this.at]! >> (7 - this.bit)) & 1);
      if (++this.bit === 8) [this.bit, this.at] = [0, this.at + 1];
    }
    return value;
  }
  word(): number {
    return ((this.read(16) << 16) | this.read(16)) >>> 0;
  }
  align(): void {
    if (this.bit > 0) [this.bit, this.at] = [0, this.at + 1];
  }
}

/** What bzip2 streams hold; undefined: they are none, are damaged, or hold too much. Models bzip2 1.0.8. */
export function decompress(bytes: Uint8Array): Uint8Array | undefined {
  const reader = new BitReader(bytes);
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    do {
      for (const block of readStream(reader)) {
        size += block.length;
        if (size > MAX_UNPACKED) return undefined;
        parts.push(block);
      }
    } while (!reader.isAtEnd);
  } catch (error) {
    if (error instanceof Damaged) return undefined;
    throw error;
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function* readStream(reader: BitReader): Generator<Uint8Array> {
  const [magic, level] = [reader.read(24), reader.read(8) - 0x30];
  if (magic !== 0x42_5a68 || level < 1 || level > 9) throw new Damaged();
  for (let total = 0; ;) {
    const [first, second, crc] = [reader.read(24), reader.read(24), reader.word()];
    if (first === 0x177245 && second === 0x385090) {
      if (crc !== total) throw new Damaged();
      reader.align();
      return;
    }
    if (first !== 0x314159 || second !== 0x265359) throw new Damaged();
    const block = lengthenRuns(readBlock(reader, level * 100_000));
    if (checksum(block) !== crc) throw new Damaged();
    total = combine(total, crc);
    yield block;
  }
}

function readBlock(reader: BitReader, limit: number): Uint8Array {
  // Blocks of old were stirred when they had too many runs.
  if (reader.read(1) === 1) throw new Damaged();
  const origin = reader.read(24);
  const used = readUsed(reader);
  const size = used.length + 2;
  const tables = reader.read(3);
  const count = reader.read(15);
  if (tables < 2 || tables > 6 || count === 0 || count > MAX_SELECTORS || used.length === 0) throw new Damaged();
  const list = Array.from({ length: tables }, (_, i) => i);
  const selectors = Array.from({ length: count }, () => {
    let place = 0;
    while (reader.read(1) === 1) if (++place >= tables) throw new Damaged();
    const [table] = list.splice(place, 1);
    list.unshift(table!);
    return table!;
  });
  const decoders = Array.from({ length: tables }, () => decoderOf(readLengths(reader, size)));
  const last = fromFront(reader, { selectors, decoders, used, limit });
  if (origin >= last.length) throw new Damaged();
  return unsort(last, origin);
}

function readUsed(reader: BitReader): number[] {
  const rows = reader.read(16);
  const used: number[] = [];
  for (let row = 0; row < 16; row++) {
    if ((rows & (0x8000 >> row)) === 0) continue;
    const bits = reader.read(16);
    for (let bit = 0; bit < 16; bit++) if (bits & (0x8000 >> bit)) used.push(row * 16 + bit);
  }
  return used;
}

function readLengths(reader: BitReader, size: number): number[] {
  let length = reader.read(5);
  return Array.from({ length: size }, () => {
    while (reader.read(1) === 1) length += reader.read(1) === 0 ? 1 : -1;
    if (length < 1 || length > MAX_LENGTH) throw new Damaged();
    return length;
  });
}

type Decoder = (reader: BitReader) => number;

function decoderOf(lengths: readonly number[]): Decoder {
  const byLength = Array.from({ length: MAX_LENGTH + 1 }, (_, length) =>
    lengths.flatMap((own, symbol) => (own === length ? [symbol] : [])),
  );
  return (reader) => {
    let [code, first] = [0, 0];
    for (let length = 1; length <= MAX_LENGTH; length++) {
      code = (code << 1) | reader.read(1);
      const symbols = byLength[length]!;
      if (code - first < symbols.length) return symbols[code - first]!;
      first = (first + symbols.length) << 1;
    }
    throw new Damaged();
  };
}

interface Coded {
  readonly selectors: readonly number[];
  readonly decoders: readonly Decoder[];
  readonly used: readonly number[];
  readonly limit: number;
}

/** The last column of the sorted rotations. */
function fromFront(reader: BitReader, { selectors, decoders, used, limit }: Coded): Uint8Array {
  const list = [...used];
  const end = used.length + 1;
  const bytes = new Uint8Array(limit);
  let [size, run, digit] = [0, 0, 1];
  for (let read = 0; ; read++) {
    const symbol = decoders[selectors[Math.floor(read / GROUP)] ?? -1]?.(reader);
    if (symbol === undefined) throw new Damaged();
    if (symbol <= 1) {
      run += digit << symbol;
      digit <<= 1;
      if (run > limit) throw new Damaged();
      continue;
    }
    if (size + run > limit) throw new Damaged();
    bytes.fill(list[0]!, size, size + run);
    size += run;
    [run, digit] = [0, 1];
    if (symbol === end) return bytes.subarray(0, size);
    if (size >= limit) throw new Damaged();
    const [byte] = list.splice(symbol - 1, 1);
    list.unshift(byte!);
    bytes[size++] = byte!;
  }
}

/** The block, of the last column and the row that it is. */
function unsort(last: Uint8Array, origin: number): Uint8Array {
  const starts = new Int32Array(257);
  for (const byte of last) starts[byte + 1]!++;
  for (let i = 1; i <= 256; i++) starts[i]! += starts[i - 1]!;
  const next = new Int32Array(last.length);
  for (let i = 0; i < last.length; i++) next[starts[last[i]!]!++] = i;
  const block = new Uint8Array(last.length);
  for (let i = 0, at = next[origin]!; i < block.length; i++, at = next[at]!) block[i] = last[at]!;
  return block;
}

function lengthenRuns(block: Uint8Array): Uint8Array {
  const parts: number[] = [];
  let run = 0;
  for (let i = 0; i < block.length; i++) {
    const byte = block[i]!;
    if (run === 4) {
      const before = block[i - 1]!;
      for (let n = 0; n < byte; n++) parts.push(before);
      run = 0;
      continue;
    }
    run = i > 0 && run > 0 && byte === block[i - 1] ? run + 1 : 1;
    parts.push(byte);
    if (parts.length > MAX_UNPACKED) throw new Damaged();
  }
  return Uint8Array.from(parts);
}
