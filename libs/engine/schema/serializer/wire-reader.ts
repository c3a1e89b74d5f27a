import { badRequest } from '../../machinery/meta/status.js';
import { decodeUtf8 } from '../../machinery/text/utf8.js';
import { BYTES, FIXED32, FIXED64, VARINT } from './protobuf-wire.js';

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
