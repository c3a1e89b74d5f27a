import { finished, type Duplex } from 'node:stream';
import {
  FrameParser,
  GOAWAY_STATUS,
  RST_STATUS,
  SpdyError,
  encodeData,
  encodeGoAway,
  encodePing,
  encodeRstStream,
  encodeSynReply,
  type Frame,
  type SynStreamFrame,
} from './frames.js';
import { HeaderReader, HeaderWriter } from './headers.js';
import { SpdyStream } from './stream.js';

export interface SpdyLimits {
  /** Streams that are open at once; more are refused. */
  readonly streams: number;
  /** Frames other than data; a client that sends more has gone wrong. */
  readonly controlFramesPerSecond: number;
  readonly controlFrameBurst: number;
  /** Bytes that are kept for the readers of a stream, and of all streams: beyond, the connection is not read. */
  readonly streamBytes: number;
  readonly bytes: number;
}

const KIB = 1024;

export const SPDY_LIMITS: SpdyLimits = {
  streams: 256,
  controlFramesPerSecond: 1_000,
  controlFrameBurst: 20_000,
  streamBytes: 128 * KIB,
  bytes: 1024 * KIB,
};

export interface SpdyOptions {
  /** Called with each stream that the client opens, after the reply to it. */
  onStream(stream: SpdyStream): void;
  /** Something has come from the client. */
  onActivity?(): void;
  readonly limits?: Partial<SpdyLimits>;
}

const MS_PER_S = 1_000;
/** Until a client that was told to go away must have closed its end. */
const LINGER_MS = 5_000;

/**
 * The server's end of one SPDY/3.1 connection, over any stream of bytes. Models moby/spdystream, which all Go clients
 * use: windows of flow control are neither kept nor sent, and a stream that is not read holds up the connection.
 * Left out: streams that the server opens, SETTINGS.
 */
export class SpdyConnection {
  private readonly streams = new Map<number, SpdyStream>();
  private readonly parser = new FrameParser();
  private readonly headerReader = new HeaderReader();
  private readonly headerWriter = new HeaderWriter();
  private readonly limits: SpdyLimits;
  private lastStream = 0;
  private isGoingAway = false;
  private controlFrames: number;
  private countedAt = performance.now();
  private waitingBytes = 0;
  /** Goes on with the connection, which waits for a reader. */
  private goOn: (() => void) | undefined;

  constructor(
    private readonly transport: Duplex,
    private readonly options: SpdyOptions,
  ) {
    this.limits = { ...SPDY_LIMITS, ...options.limits };
    this.controlFrames = this.limits.controlFrameBurst;
    transport.once('close', () => this.goOn?.());
  }

  /** Serves until the transport ends or the client breaks the protocol. Never rejects. */
  async serve(): Promise<void> {
    try {
      const chunks = this.transport.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
      for await (const chunk of chunks) {
        this.options.onActivity?.();
        for (const frame of this.parser.parse(chunk)) await this.receive(frame);
      }
    } catch (error) {
      if (error instanceof SpdyError) this.goAway(GOAWAY_STATUS.protocolError);
    } finally {
      this.headerReader.close();
      for (const stream of [...this.streams.values()]) stream.abort();
      await this.linger();
    }
  }

  /** Takes no more streams, and ends the connection when what was written to them is sent. */
  close(): void {
    this.isGoingAway = true;
    const ending = [...this.streams.values()].filter((stream) => stream.writableEnded && !stream.writableFinished);
    let left = ending.length;
    if (left === 0) return this.goAway(GOAWAY_STATUS.ok);
    const finish = (): void => {
      if (--left === 0) this.goAway(GOAWAY_STATUS.ok);
    };
    for (const stream of ending) finished(stream, { readable: false }, finish);
  }

  private goAway(status: number): void {
    this.isGoingAway = true;
    if (!this.transport.writable) return;
    this.transport.end(encodeGoAway(this.lastStream, status));
    // A client that is not read, since a stream's reader does not go on, is not heard either.
    setTimeout(() => this.transport.destroy(), LINGER_MS).unref();
  }

  /** A socket that is destroyed with bytes that were not read is reset, and the client may lose what was sent last. */
  private async linger(): Promise<void> {
    const { transport } = this;
    if (!transport.writableEnded) transport.end();
    await new Promise<void>((resolve) => {
      if (transport.readableEnded || transport.destroyed) return resolve();
      const timeout = setTimeout(resolve, LINGER_MS);
      const done = (): void => {
        clearTimeout(timeout);
        resolve();
      };
      transport.once('end', done).once('close', done).resume();
    });
    transport.destroy();
  }

  /** For a stream: calls back when the transport can take more. */
  sendData(id: number, bytes: Uint8Array, isLast: boolean, done: (error?: Error | null) => void): void {
    if (!this.transport.writable) return done(new Error('the connection is closed'));
    this.transport.write(encodeData(id, bytes, isLast), done);
  }

  /** For a stream: its reader has taken so many bytes. */
  release(bytes: number): void {
    this.waitingBytes -= bytes;
    const { goOn } = this;
    this.goOn = undefined;
    goOn?.();
  }

  /** For a stream: it is over; `isReset` tells the client that it has not come to its end. */
  remove(id: number, isReset: boolean): void {
    if (!this.streams.delete(id) || !isReset || !this.transport.writable) return;
    this.transport.write(encodeRstStream(id, RST_STATUS.cancel));
  }

  private async receive(frame: Frame): Promise<void> {
    if (frame.type !== 'data') this.countControlFrame();
    switch (frame.type) {
      case 'data':
        // A stream that is over here may still be sent to.
        return this.give(this.streams.get(frame.stream), frame.bytes, frame.isLast);
      case 'synStream':
        return this.open(frame);
      case 'headers':
        await this.headerReader.read(frame.headers);
        return;
      case 'rstStream':
        return this.streams.get(frame.stream)?.abort();
      case 'ping':
        // The answer to a ping has the ping's id; those of the server are even, and it sends none.
        if (frame.id % 2 === 1) await this.send(encodePing(frame.id));
        return;
      case 'goAway':
        this.isGoingAway = true;
        return;
      default:
    }
  }

  private async open({ stream: id, isLast, headers }: SynStreamFrame): Promise<void> {
    // Read in any case: the blocks of a connection are compressed as one.
    const fields = await this.headerReader.read(headers);
    if (id % 2 === 0 || id <= this.lastStream) throw new SpdyError(`stream ${id} after ${this.lastStream}`);
    this.lastStream = id;
    if (this.isGoingAway || this.streams.size >= this.limits.streams)
      return this.send(encodeRstStream(id, RST_STATUS.refusedStream));
    const stream = new SpdyStream(this, id, fields);
    this.streams.set(id, stream);
    await this.send(encodeSynReply(id, this.headerWriter.write({})));
    if (stream.destroyed) return;
    this.options.onStream(stream);
    if (isLast) stream.receive(Buffer.alloc(0), true);
  }

  /** Resolves when there is room for more. */
  private async give(stream: SpdyStream | undefined, bytes: Buffer, isLast: boolean): Promise<void> {
    if (!stream) return;
    this.waitingBytes += bytes.length;
    const kept = stream.receive(bytes, isLast);
    this.waitingBytes -= bytes.length - kept;
    const { streamBytes, bytes: maxBytes } = this.limits;
    while (!this.transport.destroyed && (stream.waitingBytes > streamBytes || this.waitingBytes > maxBytes))
      await new Promise<void>((resolve) => (this.goOn = resolve));
  }

  /** Waits while the client does not read what it has asked for. */
  private async send(frame: Buffer): Promise<void> {
    const { transport } = this;
    if (!transport.writable || transport.write(frame)) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        transport.off('drain', done).off('close', done);
        resolve();
      };
      transport.on('drain', done).on('close', done);
    });
  }

  private countControlFrame(): void {
    const now = performance.now();
    const { controlFramesPerSecond, controlFrameBurst } = this.limits;
    const refill = ((now - this.countedAt) / MS_PER_S) * controlFramesPerSecond;
    this.controlFrames = Math.min(controlFrameBurst, this.controlFrames + refill) - 1;
    this.countedAt = now;
    if (this.controlFrames < 0) throw new SpdyError('too many control frames');
  }
}
