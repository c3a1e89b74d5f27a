import { Duplex } from 'node:stream';
import { ByteQueue } from '../byte-queue.js';

/** What a stream needs of its connection. */
export interface StreamCarrier {
  sendData(id: number, bytes: Uint8Array, isLast: boolean, done: (error?: Error | null) => void): void;
  /** So many bytes that the stream had kept for its reader are gone. */
  release(bytes: number): void;
  remove(id: number, isReset: boolean): void;
}

/** One stream of a SPDY connection. Each of its two directions ends by itself. */
export class SpdyStream extends Duplex {
  /** What the reader has not asked for yet. */
  private readonly waiting = new ByteQueue();
  private isAsked = false;
  private isInputOver = false;

  constructor(
    private readonly carrier: StreamCarrier,
    readonly id: number,
    /** Names are lower case. */
    readonly headers: ReadonlyMap<string, string>,
  ) {
    super({ allowHalfOpen: true, readableHighWaterMark: 1 });
    // The client learns of it by RST_STREAM, and nobody else is concerned.
    this.on('error', () => undefined);
  }

  /** Bytes that are kept for the reader. */
  get waitingBytes(): number {
    return this.waiting.length;
  }

  /** For the connection: what has come for the stream. Returns the number of bytes that are kept. */
  receive(bytes: Buffer, isLast: boolean): number {
    if (this.destroyed || this.isInputOver) return 0;
    this.isInputOver = isLast;
    this.waiting.push(bytes);
    if (this.isAsked) this.give();
    return bytes.length;
  }

  /** For the connection: the client has reset the stream, or the connection is over. */
  abort(): void {
    this.carrier.remove(this.id, false);
    this.destroy();
  }

  override _read(): void {
    this.isAsked = true;
    this.give();
  }

  override _write(bytes: Uint8Array, _encoding: string, done: (error?: Error | null) => void): void {
    this.carrier.sendData(this.id, bytes, false, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.carrier.sendData(this.id, Buffer.alloc(0), true, done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.carrier.release(this.waiting.take().length);
    this.carrier.remove(this.id, !this.writableFinished || !this.isInputOver);
    done(error);
  }

  private give(): void {
    const bytes = this.waiting.take();
    if (bytes.length > 0) {
      this.isAsked = false;
      this.push(bytes);
      // Behind the push: going on with the connection may bring more at once.
      this.carrier.release(bytes.length);
    }
    if (this.isInputOver) this.push(null);
  }
}
