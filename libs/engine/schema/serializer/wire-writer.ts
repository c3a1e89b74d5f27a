import { encodeUtf8 } from '../../machinery/text/utf8.js';
import { BYTES } from './protobuf-wire.js';

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
