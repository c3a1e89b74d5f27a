import { bytesOf, textOf, type Bytes } from '../../../../../engine/kernel/bytes.js';
import { isInt, tagOf, type Document, type Value } from '../data/value.js';

/** Documents as bytes, as bsonspec.org has it. */
const MAX_DEPTH = 100;

export const int32 = (value: number): Bytes =>
  String.fromCharCode(value & 255, (value >> 8) & 255, (value >> 16) & 255, (value >>> 24) & 255);

const int64 = (value: bigint): Bytes => {
  const bits = BigInt.asUintN(64, value);
  return int32(Number(bits & 0xffffffffn) | 0) + int32(Number(bits >> 32n) | 0);
};

export const readInt32 = (bytes: Bytes, at: number): number =>
  bytes.charCodeAt(at) |
  (bytes.charCodeAt(at + 1) << 8) |
  (bytes.charCodeAt(at + 2) << 16) |
  (bytes.charCodeAt(at + 3) << 24);

const readInt64 = (bytes: Bytes, at: number): bigint =>
  BigInt.asIntN(64, (BigInt(readInt32(bytes, at + 4) >>> 0) << 32n) | BigInt(readInt32(bytes, at) >>> 0));

function double(value: number): Bytes {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value, true);
  return Array.from({ length: 8 }, (_, i) => String.fromCharCode(view.getUint8(i))).join('');
}

function readDouble(bytes: Bytes, at: number): number {
  const view = new DataView(new ArrayBuffer(8));
  for (let i = 0; i < 8; i++) view.setUint8(i, bytes.charCodeAt(at + i));
  return view.getFloat64(0, true);
}

const cString = (text: string): Bytes => `${bytesOf(text).replaceAll('\0', '')}\0`;
const string = (text: string): Bytes => {
  const bytes = bytesOf(text);
  return `${int32(bytes.length + 1)}${bytes}\0`;
};
const fromHex = (text: string): Bytes =>
  text.replace(/[\da-f]{2}/gi, (pair) => String.fromCharCode(Number.parseInt(pair, 16)));
const toHex = (bytes: Bytes): string =>
  [...bytes].map((char) => char.charCodeAt(0).toString(16).padStart(2, '0')).join('');

export function encodeDocument(document: Document): Bytes {
  let body = '';
  for (const [name, value] of Object.entries(document)) body += encodeElement(name, value);
  return `${int32(body.length + 5)}${body}\0`;
}

function encodeElement(name: string, value: Value): Bytes {
  const make = (type: number, bytes: Bytes): Bytes => `${String.fromCharCode(type)}${cString(name)}${bytes}`;
  if (value === null) return make(0x0a, '');
  if (typeof value === 'boolean') return make(0x08, value ? '\x01' : '\0');
  if (typeof value === 'string') return make(0x02, string(value));
  if (typeof value === 'number') return isInt(value) ? make(0x10, int32(value)) : make(0x01, double(value));
  if (Array.isArray(value))
    return make(0x04, encodeDocument(Object.fromEntries(value.map((one, i) => [String(i), one]))));
  const tag = tagOf(value);
  if (tag === undefined) return make(0x03, encodeDocument(value));
  const inner = value[tag]!;
  switch (tag) {
    case '$oid':
      return make(0x07, fromHex(String(inner)));
    case '$date':
      return make(0x09, int64(BigInt(Math.trunc(Number(inner)) || 0)));
    case '$numberLong':
      return make(0x12, int64(BigInt(String(inner))));
    case '$numberDecimal':
      return make(0x13, String(inner));
    case '$timestamp':
      return make(0x11, int64(BigInt(String(inner))));
    case '$minKey':
      return make(0xff, '');
    case '$maxKey':
      return make(0x7f, '');
    case '$regularExpression': {
      const { pattern = '', options = '' } = inner as Document;
      return make(0x0b, cString(String(pattern)) + cString(String(options)));
    }
    default: {
      const { bytes = '', subType = 0 } = inner as Document;
      return make(0x05, `${int32(String(bytes).length)}${String.fromCharCode(Number(subType))}${String(bytes)}`);
    }
  }
}

/** Throws RangeError for what is no document. */
export function decodeDocument(bytes: Bytes, from = 0): Document {
  return new Reader(bytes, from).document(0);
}

class Reader {
  constructor(
    private readonly bytes: Bytes,
    private at: number,
  ) {}

  document(depth: number): Document {
    const entries: [string, Value][] = [];
    const end = this.at + readInt32(this.bytes, this.at);
    if (depth > MAX_DEPTH || end > this.bytes.length || end < this.at + 5) throw new RangeError('bad BSON');
    this.at += 4;
    for (let type = this.byte(); type !== 0; type = this.byte()) {
      const name = this.cString();
      entries.push([name, this.value(type, depth)]);
      if (this.at >= end) throw new RangeError('bad BSON');
    }
    this.at = end;
    return Object.fromEntries(entries);
  }

  private byte(): number {
    return this.bytes.charCodeAt(this.at++);
  }

  private take(length: number): Bytes {
    if (length < 0 || this.at + length > this.bytes.length) throw new RangeError('bad BSON');
    this.at += length;
    return this.bytes.slice(this.at - length, this.at);
  }

  private cString(): string {
    const end = this.bytes.indexOf('\0', this.at);
    if (end < 0) throw new RangeError('bad BSON');
    const text = this.take(end - this.at);
    this.at++;
    return textOf(text);
  }

  private string(): string {
    const length = readInt32(this.bytes, this.at);
    this.at += 4;
    return textOf(this.take(length).slice(0, -1));
  }

  private value(type: number, depth: number): Value {
    switch (type) {
      case 0x01:
        return readDouble(this.take(8), 0);
      case 0x02:
      case 0x0d:
      case 0x0e:
        return this.string();
      case 0x03:
        return this.document(depth + 1);
      case 0x04:
        return Object.values(this.document(depth + 1));
      case 0x05: {
        const length = readInt32(this.bytes, this.at);
        this.at += 4;
        const subType = this.byte();
        return { $binary: { bytes: this.take(length), subType } };
      }
      case 0x06:
      case 0x0a:
        return null;
      case 0x07:
        return { $oid: toHex(this.take(12)) };
      case 0x08:
        return this.byte() === 1;
      case 0x09:
        return { $date: Number(readInt64(this.take(8), 0)) };
      case 0x0b:
        return { $regularExpression: { pattern: this.cString(), options: this.cString() } };
      case 0x10:
        return readInt32(this.take(4), 0);
      case 0x11:
        return { $timestamp: String(readInt64(this.take(8), 0)) };
      case 0x12:
        return { $numberLong: String(readInt64(this.take(8), 0)) };
      case 0x13:
        return { $numberDecimal: this.take(16) };
      case 0xff:
        return { $minKey: 1 };
      case 0x7f:
        return { $maxKey: 1 };
      default:
        throw new RangeError('bad BSON');
    }
  }
}
