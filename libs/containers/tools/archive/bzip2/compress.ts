import { checksum, combine } from './crc.js';
import { sortRotations } from './sort-rotations.js';

const LEVEL = 9;
/** Bytes of a block after runs were shortened: what level 1 has, which costs less time here. */
const BLOCK = 100_000 - 19;
const MAX_RUN = 255;
const MAX_LENGTH = 17;
/** Symbols that one selector is for. */
const GROUP = 50;
const BLOCK_MAGIC = [0x314159, 0x265359] as const;
const END_MAGIC = [0x177245, 0x385090] as const;

class BitWriter {
  readonly bytes: number[] = [];
  private held = 0;
  private count = 0;

  /** The lowest `width` bits, at most 24. */
  write(value: number, width: number): void {
    for (let bit = width - 1; bit >= 0; bit--) {
      this.held = (this.held << 1) | ((value >>> bit) & 1);
      if (++this.count === 8) {
        this.bytes.push(this.held);
        this.held = this.count = 0;
      }
    }
  }
  word(value: number): void {
    this.write(value >>> 16, 16);
    this.write(value & 0xffff, 16);
  }
  end(): Uint8Array {
    if (this.count > 0) this.write(0, 8 - this.count);
    return Uint8Array.from(this.bytes);
  }
}

/** A bzip2 stream. One table of codes serves a block, where bzip2 itself chooses among six. Models bzip2 1.0.8. */
export function compress(bytes: Uint8Array): Uint8Array {
  const out = new BitWriter();
  for (const byte of [0x42, 0x5a, 0x68, 0x30 + LEVEL]) out.write(byte, 8);
  let total = 0;
  for (let at = 0; at < bytes.length;) {
    const { block, end } = shortenRuns(bytes, at);
    const crc = checksum(bytes.subarray(at, end));
    total = combine(total, crc);
    writeBlock(out, block, crc);
    at = end;
  }
  for (const part of END_MAGIC) out.write(part, 24);
  out.word(total);
  return out.end();
}

/** Four equal bytes are followed by how many more there are. */
function shortenRuns(bytes: Uint8Array, from: number): { block: Uint8Array; end: number } {
  const block = new Uint8Array(BLOCK + 5);
  let size = 0;
  let at = from;
  while (at < bytes.length && size < BLOCK) {
    const byte = bytes[at]!;
    let run = 1;
    while (run < MAX_RUN && bytes[at + run] === byte) run++;
    for (let i = 0; i < Math.min(4, run); i++) block[size++] = byte;
    if (run >= 4) block[size++] = run - 4;
    at += run;
  }
  return { block: block.subarray(0, size), end: at };
}

function writeBlock(out: BitWriter, block: Uint8Array, crc: number): void {
  const order = sortRotations(block);
  for (const part of BLOCK_MAGIC) out.write(part, 24);
  out.word(crc);
  out.write(0, 1);
  out.write(order.indexOf(0), 24);
  const used = [...new Set(block)].sort((a, b) => a - b);
  writeUsed(out, used);
  const symbols = toFront(
    order.map((at) => block[at === 0 ? block.length - 1 : at - 1]!),
    used,
  );
  const lengths = codeLengths(symbols, used.length + 2);
  const selectors = Math.ceil(symbols.length / GROUP);
  out.write(2, 3);
  out.write(selectors, 15);
  for (let i = 0; i < selectors; i++) out.write(0, 1);
  for (let table = 0; table < 2; table++) writeLengths(out, lengths);
  const codes = codesOf(lengths);
  for (const symbol of symbols) out.write(codes[symbol]!, lengths[symbol]!);
}

function writeUsed(out: BitWriter, used: readonly number[]): void {
  const rows = Array.from({ length: 16 }, (_, row) =>
    used.filter((byte) => byte >> 4 === row).reduce((bits, byte) => bits | (0x8000 >> (byte & 15)), 0),
  );
  out.write(
    rows.reduce((bits, row, i) => (row === 0 ? bits : bits | (0x8000 >> i)), 0),
    16,
  );
  for (const row of rows) if (row !== 0) out.write(row, 16);
}

/** Each byte as its place in the list of the latest ones; runs of the first place in digits of base 2, 1 and 2. */
function toFront(bytes: Int32Array, used: readonly number[]): number[] {
  const list = [...used];
  const symbols: number[] = [];
  let run = 0;
  const endRun = (): void => {
    for (; run > 0; run = (run - 1) >> 1) symbols.push((run - 1) & 1);
  };
  for (const byte of bytes) {
    const at = list.indexOf(byte);
    if (at === 0) {
      run++;
      continue;
    }
    endRun();
    symbols.push(at + 1);
    list.splice(at, 1);
    list.unshift(byte);
  }
  endRun();
  symbols.push(used.length + 1);
  return symbols;
}

/** Lengths of Huffman codes, none longer than bzip2 allows. */
function codeLengths(symbols: readonly number[], size: number): number[] {
  let weights = new Array<number>(size).fill(1);
  for (const symbol of symbols) weights[symbol]!++;
  for (;;) {
    const lengths = lengthsOf(weights);
    if (Math.max(...lengths) <= MAX_LENGTH) return lengths;
    weights = weights.map((weight) => Math.floor(weight / 2) + 1);
  }
}

function lengthsOf(weights: readonly number[]): number[] {
  const lengths = new Array<number>(weights.length).fill(0);
  let trees = weights.map((weight, symbol) => ({ weight, symbols: [symbol] }));
  while (trees.length > 1) {
    trees.sort((a, b) => a.weight - b.weight);
    const [first, second, ...rest] = trees;
    const symbols = [...first!.symbols, ...second!.symbols];
    for (const symbol of symbols) lengths[symbol]!++;
    trees = [...rest, { weight: first!.weight + second!.weight, symbols }];
  }
  return lengths;
}

function writeLengths(out: BitWriter, lengths: readonly number[]): void {
  let current = lengths[0]!;
  out.write(current, 5);
  for (const length of lengths) {
    for (; current < length; current++) out.write(2, 2);
    for (; current > length; current--) out.write(3, 2);
    out.write(0, 1);
  }
}

/** Canonical: shorter ones first, of equal length in the order of the symbols. */
function codesOf(lengths: readonly number[]): number[] {
  const codes = new Array<number>(lengths.length).fill(0);
  let code = 0;
  for (let length = 1; length <= MAX_LENGTH; length++, code <<= 1)
    lengths.forEach((own, symbol) => {
      if (own === length) codes[symbol] = code++;
    });
  return codes;
}
