/** Types of control frames. */
export const FRAME_TYPES = {
  synStream: 1,
  synReply: 2,
  rstStream: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  headers: 8,
  windowUpdate: 9,
} as const;

export const FLAG_FIN = 0x01;
/** Status codes of RST_STREAM. */
export const RST_STATUS = { protocolError: 1, invalidStream: 2, refusedStream: 3, cancel: 5 } as const;
/** Status codes of GOAWAY. */
export const GOAWAY_STATUS = { ok: 0, protocolError: 1 } as const;

const VERSION = 3;
const HEADER_BYTES = 8;
const CONTROL_BIT = 0x8000_0000;
const ID_MASK = 0x7fff_ffff;
/** A header block of the clients that there are has 100 bytes. */
const MAX_CONTROL_BYTES = 16 * 1024;
/** Ids and priorities before the header block of SYN_STREAM. */
const SYN_STREAM_BYTES = 10;

const EMPTY = Buffer.alloc(0);

/** The peer has broken the protocol: the connection ends. */
export class SpdyError extends Error {}

/** Bytes of a stream; a long frame comes in several parts. */
export interface DataPart {
  readonly type: 'data';
  readonly stream: number;
  readonly bytes: Buffer;
  /** The stream's last bytes. */
  readonly isLast: boolean;
}

export interface SynStreamFrame {
  readonly type: 'synStream';
  readonly stream: number;
  readonly isLast: boolean;
  /** Compressed. */
  readonly headers: Buffer;
}

export type Frame =
  | DataPart
  | SynStreamFrame
  /** SYN_REPLY and HEADERS. Their blocks belong to the stream of compressed headers, whoever reads them. */
  | { readonly type: 'headers'; readonly headers: Buffer }
  | { readonly type: 'rstStream'; readonly stream: number }
  | { readonly type: 'ping'; readonly id: number }
  | { readonly type: 'goAway' }
  /** SETTINGS, WINDOW_UPDATE, and types that are not known. */
  | { readonly type: 'other' };

/** Cuts a stream of bytes into frames. Holds a control frame that is not complete, and never data. */
export class FrameParser {
  private rest: Buffer = EMPTY;
  /** The data frame that has begun. */
  private data: { readonly stream: number; readonly isFin: boolean; left: number } | undefined;

  /** Throws SpdyError. */
  *parse(chunk: Buffer): Generator<Frame> {
    let bytes = this.rest.length > 0 ? Buffer.concat([this.rest, chunk]) : chunk;
    this.rest = EMPTY;
    while (bytes.length > 0) {
      const { data } = this;
      if (data) {
        const part = bytes.subarray(0, data.left);
        bytes = bytes.subarray(part.length);
        yield this.takeData(data, part);
        continue;
      }
      if (bytes.length < HEADER_BYTES) break;
      const [first, length] = [bytes.readUInt32BE(0), bytes.readUIntBE(5, 3)];
      const flags = bytes[4]!;
      if (first < CONTROL_BIT) {
        bytes = bytes.subarray(HEADER_BYTES);
        this.data = { stream: first, isFin: (flags & FLAG_FIN) !== 0, left: length };
        if (length === 0) yield this.takeData(this.data, EMPTY);
        continue;
      }
      if (length > MAX_CONTROL_BYTES) throw new SpdyError(`a control frame of ${length} bytes`);
      if (bytes.length < HEADER_BYTES + length) break;
      yield parseControl(first, flags, bytes.subarray(HEADER_BYTES, HEADER_BYTES + length));
      bytes = bytes.subarray(HEADER_BYTES + length);
    }
    this.rest = bytes;
  }

  private takeData(data: NonNullable<FrameParser['data']>, bytes: Buffer): DataPart {
    data.left -= bytes.length;
    if (data.left === 0) this.data = undefined;
    return { type: 'data', stream: data.stream, bytes, isLast: data.isFin && data.left === 0 };
  }
}

function parseControl(first: number, flags: number, payload: Buffer): Frame {
  const version = (first >>> 16) & 0x7fff;
  if (version !== VERSION) throw new SpdyError(`version ${version}`);
  switch (first & 0xffff) {
    case FRAME_TYPES.synStream: {
      const headers = payload.subarray(SYN_STREAM_BYTES);
      return { type: 'synStream', stream: idOf(payload, SYN_STREAM_BYTES), isLast: (flags & FLAG_FIN) !== 0, headers };
    }
    case FRAME_TYPES.synReply:
    case FRAME_TYPES.headers:
      idOf(payload, 4);
      return { type: 'headers', headers: payload.subarray(4) };
    case FRAME_TYPES.rstStream:
      return { type: 'rstStream', stream: idOf(payload, 8) };
    case FRAME_TYPES.ping:
      idOf(payload, 4);
      return { type: 'ping', id: payload.readUInt32BE(0) };
    case FRAME_TYPES.goAway:
      return { type: 'goAway' };
    default:
      return { type: 'other' };
  }
}

/** The stream's id at the beginning of a payload, which must have so many bytes. */
function idOf(payload: Buffer, minBytes: number): number {
  if (payload.length < minBytes) throw new SpdyError(`a payload of ${payload.length} bytes`);
  return payload.readUInt32BE(0) & ID_MASK;
}

function encodeControl(type: number, payload: Buffer, flags = 0): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE((CONTROL_BIT | (VERSION << 16) | type) >>> 0, 0);
  header.writeUInt32BE(payload.length, 4);
  header[4] = flags;
  return Buffer.concat([header, payload]);
}

function encodeNumbers(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  numbers.forEach((number, i) => bytes.writeUInt32BE(number, 4 * i));
  return bytes;
}

/** At most 16 MiB of bytes. */
export function encodeData(stream: number, bytes: Uint8Array, isLast = false): Buffer {
  const frame = Buffer.allocUnsafe(HEADER_BYTES + bytes.length);
  frame.writeUInt32BE(stream, 0);
  frame.writeUInt32BE(bytes.length, 4);
  frame[4] = isLast ? FLAG_FIN : 0;
  frame.set(bytes, HEADER_BYTES);
  return frame;
}

/** `headers`: a compressed block. */
export const encodeSynStream = (stream: number, headers: Buffer, isLast = false): Buffer =>
  encodeControl(
    FRAME_TYPES.synStream,
    Buffer.concat([encodeNumbers(stream, 0), Buffer.alloc(2), headers]),
    isLast ? FLAG_FIN : 0,
  );

export const encodeSynReply = (stream: number, headers: Buffer): Buffer =>
  encodeControl(FRAME_TYPES.synReply, Buffer.concat([encodeNumbers(stream), headers]));

export const encodeRstStream = (stream: number, status: number): Buffer =>
  encodeControl(FRAME_TYPES.rstStream, encodeNumbers(stream, status));

export const encodePing = (id: number): Buffer => encodeControl(FRAME_TYPES.ping, encodeNumbers(id));

export const encodeGoAway = (lastStream: number, status: number): Buffer =>
  encodeControl(FRAME_TYPES.goAway, encodeNumbers(lastStream, status));

export const encodeWindowUpdate = (stream: number, bytes: number): Buffer =>
  encodeControl(FRAME_TYPES.windowUpdate, encodeNumbers(stream, bytes));
