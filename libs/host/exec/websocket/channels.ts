import { Writable } from 'node:stream';
import type { RawData, WebSocket } from 'ws';

const CHUNK_BYTES = 32 * 1024;
const DIGIT_0 = 0x30;

/** A message of one of the channels that a WebSocket carries. */
export interface ChannelMessage {
  readonly channel: number;
  readonly bytes: Buffer;
}

/** A message's channel is its first byte; in base64 a digit, and the rest is text. Models wsstream.Conn. */
export function parseMessage(data: RawData, isBase64: boolean): ChannelMessage | undefined {
  const message = Buffer.isBuffer(data) ? data : Buffer.concat(Array.isArray(data) ? data : [Buffer.from(data)]);
  const first = message[0];
  if (first === undefined) return undefined;
  if (!isBase64) return { channel: first, bytes: message.subarray(1) };
  return { channel: first - DIGIT_0, bytes: Buffer.from(message.subarray(1).toString('latin1'), 'base64') };
}

export function sendMessage(
  client: WebSocket,
  { channel, bytes }: ChannelMessage,
  isBase64: boolean,
  done?: (error?: Error | null) => void,
): void {
  if (isBase64) client.send(`${channel}${bytes.toString('base64')}`, done);
  else client.send(Buffer.concat([Buffer.from([channel]), bytes]), done);
}

/** One channel as a stream, which takes more when the socket has taken what was written. */
export class ChannelWriter extends Writable {
  constructor(
    private readonly client: WebSocket,
    private readonly channel: number,
    private readonly isBase64: boolean,
  ) {
    super();
    client.on('close', () => this.destroy());
    // The socket has gone, whose own listener tells of it.
    this.on('error', () => undefined);
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    for (let at = 0; at < chunk.length; at += CHUNK_BYTES) {
      const isLast = at + CHUNK_BYTES >= chunk.length;
      const message = { channel: this.channel, bytes: chunk.subarray(at, at + CHUNK_BYTES) };
      sendMessage(this.client, message, this.isBase64, isLast ? done : undefined);
    }
    if (chunk.length === 0) done();
  }
}

/** Writes what a client has sent; the client is not read while there is no room. */
export function writeWithBackPressure(client: WebSocket, target: Writable, bytes: Buffer): void {
  if (!target.writable || target.write(bytes)) return;
  client.pause();
  const resume = (): void => {
    target.off('drain', resume).off('close', resume);
    client.resume();
  };
  target.on('drain', resume).on('close', resume);
}
