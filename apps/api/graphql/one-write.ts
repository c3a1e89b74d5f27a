import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';

const FINAL_TEXT = 0x81;
const LENGTH_16 = 126;
const LENGTH_64 = 127;

/**
 * Makes a connection send each text in one write. ws writes a frame's header and its payload apart, which is twice the
 * system time when one change goes to hundreds of subscribers.
 */
export function writeAtOnce(client: WebSocket, socket: Duplex): void {
  const send = client.send.bind(client) as (data: unknown, ...rest: unknown[]) => void;
  client.send = ((data: unknown, ...rest: unknown[]) => {
    const done = rest.at(-1);
    if (typeof data !== 'string' || client.readyState !== client.OPEN || client.extensions) return send(data, ...rest);
    socket.write(textFrame(data), (error) => typeof done === 'function' && done(error ?? undefined));
  }) as WebSocket['send'];
}

/** A whole text message as an unmasked frame (RFC 6455, section 5.2). */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const start = length < LENGTH_16 ? 2 : length < 0x10000 ? 4 : 10;
  const frame = Buffer.allocUnsafe(start + length);
  frame[0] = FINAL_TEXT;
  frame[1] = start === 2 ? length : start === 4 ? LENGTH_16 : LENGTH_64;
  if (start === 4) frame.writeUInt16BE(length, 2);
  if (start === 10) frame.writeBigUInt64BE(BigInt(length), 2);
  frame.write(text, start);
  return frame;
}
