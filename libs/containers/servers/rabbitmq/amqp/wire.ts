import type { Bytes } from '../../../../engine/kernel/bytes.js';

/** AMQP 0-9-1: frames, and the fields of methods. */
export const PROTOCOL = 'AMQP\0\0\x09\x01';
export const FRAME = { method: 1, header: 2, body: 3, heartbeat: 8 } as const;
const END = '\xce';
const MAX_FRAME = 131_072;

export const octet = (value: number): Bytes => String.fromCharCode(value & 255);
export const short = (value: number): Bytes => octet(value >> 8) + octet(value);
export const long = (value: number): Bytes => short(value >>> 16) + short(value & 65_535);
export const longLong = (value: number): Bytes => long(Math.floor(value / 2 ** 32)) + long(value % 2 ** 32);
export const shortText = (text: Bytes): Bytes => octet(Math.min(255, text.length)) + text.slice(0, 255);
export const longText = (text: Bytes): Bytes => long(text.length) + text;
/** A table of texts and switches. */
export const table = (fields: Readonly<Record<string, string | boolean>>): Bytes =>
  longText(
    Object.entries(fields)
      .map(
        ([name, value]) =>
          shortText(name) + (typeof value === 'string' ? `S${longText(value)}` : `t${octet(value ? 1 : 0)}`),
      )
      .join(''),
  );

export const frame = (type: number, channel: number, payload: Bytes): Bytes =>
  octet(type) + short(channel) + long(payload.length) + payload + END;

/** A method by its class and number: `[10, 11]` is connection.start-ok. */
export const method = (channel: number, [group, id]: readonly [number, number], fields: Bytes = ''): Bytes =>
  frame(FRAME.method, channel, short(group) + short(id) + fields);

/** The header and the body of a message; `properties` as they came. */
export const content = (channel: number, properties: Bytes, body: Bytes): Bytes => {
  const size = MAX_FRAME - 8;
  let bytes = frame(FRAME.header, channel, short(60) + short(0) + longLong(body.length) + properties);
  for (let at = 0; at < body.length; at += size) bytes += frame(FRAME.body, channel, body.slice(at, at + size));
  return bytes;
};

export interface Frame {
  readonly type: number;
  readonly channel: number;
  readonly payload: Bytes;
  readonly length: number;
}

/** The first frame; undefined: it is not whole, 'bad': it is none. */
export function takeFrame(received: Bytes): Frame | 'bad' | undefined {
  if (received.length < 7) return undefined;
  const fields = new Fields(received);
  const [type, channel, size] = [fields.octet(), fields.short(), fields.long()];
  if (size > MAX_FRAME) return 'bad';
  if (received.length < size + 8) return undefined;
  if (received[size + 7] !== END) return 'bad';
  return { type, channel, payload: received.slice(7, size + 7), length: size + 8 };
}

/** Reads the fields of a method; what is not there reads as 0 or ''. */
export class Fields {
  private at = 0;

  constructor(private readonly bytes: Bytes) {}

  octet(): number {
    return this.bytes.charCodeAt(this.at++) | 0;
  }
  short(): number {
    return this.octet() * 256 + this.octet();
  }
  long(): number {
    return this.short() * 65_536 + this.short();
  }
  longLong(): number {
    return this.long() * 2 ** 32 + this.long();
  }
  text(): Bytes {
    return this.take(this.octet());
  }
  longText(): Bytes {
    return this.take(this.long());
  }
  rest(): Bytes {
    return this.bytes.slice(this.at);
  }
  private take(length: number): Bytes {
    this.at += length;
    return this.bytes.slice(this.at - length, this.at);
  }
}
