import { badRequest } from '../../machinery/meta/status.js';
import { decodeUtf8, encodeUtf8 } from '../../machinery/utf8.js';

/** Protobuf's wire types. */
export const VARINT = 0;
export const FIXED64 = 1;
export const BYTES = 2;
export const FIXED32 = 5;

const truncated = () => badRequest('proto: unexpected EOF in the request body');

/** Reads one message's bytes. Every read is bounded; throws 400. */
export class WireReader {
  private at: number;
  constructor(
    private readonly bytes: Uint8Array,
    start = 0,
    private readonly end = bytes.length,
  ) {
    this.at = start;
  }

  get done(): boolean {
    return this.at >= this.end;
  }

  /** Field number and wire type of the next field. */
  tag(): { number: number; wire: number } {
    const tag = this.varint();
    const number = Math.floor(tag / 8);
    if (number < 1) throw badRequest(`proto: illegal tag ${number} in the request body`);
    return { number, wire: tag % 8 };
  }

  /** A varint as a signed 64-bit number; precise up to 2^53. */
  varint(): number {
    let low = 0;
    let factor = 1;
    for (let i = 0; i < 10; i++) {
      if (this.at >= this.end) throw truncated();
      const byte = this.bytes[this.at++]!;
      if (i === 9) return this.negative(low, byte);
      low += (byte & 0x7f) * factor;
      if (byte < 0x80) return low;
      factor *= 128;
    }
    throw badRequest('proto: integer overflow in the request body');
  }

  /** Ten bytes: the sign bit is in the last one. */
  private negative(low63: number, last: number): number {
    if (last > 1) throw badRequest('proto: integer overflow in the request body');
    if (last === 0) return low63;
    let value = 0n;
    for (let i = 0; i < 9; i++) value |= BigInt(this.bytes[this.at - 10 + i]! & 0x7f) << BigInt(7 * i);
    return Number(BigInt.asIntN(64, value | (1n << 63n)));
  }

  double(): number {
    const from = this.take(8);
    return new DataView(this.bytes.buffer, this.bytes.byteOffset + from, 8).getFloat64(0, true);
  }

  message(): WireReader {
    const length = this.length();
    const from = this.take(length);
    return new WireReader(this.bytes, from, from + length);
  }

  string(): string {
    return decodeUtf8(this.raw());
  }

  raw(): Uint8Array {
    const length = this.length();
    const from = this.take(length);
    return this.bytes.subarray(from, from + length);
  }

  skip(wire: number): void {
    if (wire === VARINT) this.varint();
    else if (wire === FIXED64) this.take(8);
    else if (wire === BYTES) this.take(this.length());
    else if (wire === FIXED32) this.take(4);
    else throw badRequest(`proto: illegal wireType ${wire} in the request body`);
  }

  private length(): number {
    const length = this.varint();
    if (length < 0) throw badRequest('proto: negative length found in the request body');
    return length;
  }

  private take(length: number): number {
    const from = this.at;
    if (length > this.end - from) throw truncated();
    this.at = from + length;
    return from;
  }
}

const FIRST_SIZE = 256;

/** Writes messages into one growing buffer; a nested message is written first and its length put before it. */
export class WireWriter {
  private buffer = new Uint8Array(FIRST_SIZE);
  private at = 0;

  tag(number: number, wire: number): void {
    this.varint(number * 8 + wire);
  }

  /** Signed; a negative one takes ten bytes, as Go writes int32 and int64. */
  varint(value: number): void {
    this.reserve(10);
    if (value < 0) return this.bigVarint(BigInt.asUintN(64, BigInt(value)));
    let rest = value;
    while (rest >= 128) {
      this.buffer[this.at++] = (rest % 128) | 0x80;
      rest = Math.floor(rest / 128);
    }
    this.buffer[this.at++] = rest;
  }

  private bigVarint(value: bigint): void {
    let rest = value;
    while (rest >= 128n) {
      this.buffer[this.at++] = Number(rest & 0x7fn) | 0x80;
      rest >>= 7n;
    }
    this.buffer[this.at++] = Number(rest);
  }

  double(value: number): void {
    this.reserve(8);
    new DataView(this.buffer.buffer).setFloat64(this.at, value, true);
    this.at += 8;
  }

  string(number: number, text: string): void {
    if (text.length < 128 && this.ascii(number, text)) return;
    this.bytes(number, encodeUtf8(text));
  }

  /** The common case without an encoder: false, and nothing written, when a character is beyond ASCII. */
  private ascii(number: number, text: string): boolean {
    const start = this.at;
    this.tag(number, BYTES);
    this.reserve(text.length + 1);
    this.buffer[this.at++] = text.length;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code > 127) {
        this.at = start;
        return false;
      }
      this.buffer[this.at++] = code;
    }
    return true;
  }

  bytes(number: number, bytes: Uint8Array): void {
    this.tag(number, BYTES);
    this.varint(bytes.length);
    this.append(bytes);
  }

  append(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.buffer.set(bytes, this.at);
    this.at += bytes.length;
  }

  message(number: number, write: () => void): void {
    this.tag(number, BYTES);
    const start = this.at;
    write();
    const length = this.at - start;
    let size = 1;
    for (let rest = length; rest >= 128; rest = Math.floor(rest / 128)) size++;
    this.reserve(size);
    this.buffer.copyWithin(start + size, start, this.at);
    const end = this.at + size;
    this.at = start;
    this.varint(length);
    this.at = end;
  }

  finish(): Uint8Array {
    return this.buffer.slice(0, this.at);
  }

  private reserve(count: number): void {
    if (this.at + count <= this.buffer.length) return;
    const larger = new Uint8Array(Math.max(this.buffer.length * 2, this.at + count));
    larger.set(this.buffer.subarray(0, this.at));
    this.buffer = larger;
  }
}
