import { Duplex, PassThrough } from 'node:stream';
import { createDeflate, constants, type Deflate } from 'node:zlib';
import { FrameParser, encodeData, encodeSynStream } from './frames.js';
import { DICTIONARY, encodeHeaderBlock } from './headers.js';

/** The two ends of a connection in memory. */
export function duplexPair(): [Duplex, Duplex] {
  const [there, back] = [new PassThrough(), new PassThrough()];
  const end = (readable: PassThrough, writable: PassThrough): Duplex => {
    const duplex = Duplex.from({ readable, writable });
    duplex.on('error', () => undefined);
    return duplex;
  };
  return [end(back, there), end(there, back)];
}

/** Compresses header blocks as Go's clients do. */
export class DeflatedHeaders {
  private readonly deflate: Deflate = createDeflate({ dictionary: DICTIONARY });

  async encode(headers: Readonly<Record<string, string>>): Promise<Buffer> {
    const parts: Buffer[] = [];
    const take = (part: Buffer): void => void parts.push(part);
    this.deflate.on('data', take).write(encodeHeaderBlock(headers));
    await new Promise<void>((resolve) => this.deflate.flush(constants.Z_SYNC_FLUSH, () => resolve()));
    this.deflate.off('data', take);
    return Buffer.concat(parts);
  }
}

/** What the server has sent on one stream. */
export interface ReceivedStream {
  text: string;
  isReplied: boolean;
  isOver: boolean;
  isReset: boolean;
}

/** The client's end of a SPDY connection, which reads all that comes. */
export class SpdyClient {
  readonly received = new Map<number, ReceivedStream>();
  readonly pings: number[] = [];
  hasGoAway = false;
  readonly ended: Promise<void>;
  private readonly headers = new DeflatedHeaders();
  private readonly parser = new FrameParser();
  private nextId = 1;

  constructor(readonly transport: Duplex) {
    transport.on('data', (chunk: Buffer) => this.receive(chunk));
    transport.on('error', () => undefined);
    this.ended = new Promise((resolve) => transport.on('close', resolve).on('end', resolve));
  }

  async open(headers: Readonly<Record<string, string>>, isLast = false): Promise<number> {
    const id = this.nextId;
    this.nextId += 2;
    this.received.set(id, { text: '', isReplied: false, isOver: false, isReset: false });
    this.transport.write(encodeSynStream(id, await this.headers.encode(headers), isLast));
    return id;
  }

  send(id: number, text: string | Buffer, isLast = false): void {
    this.transport.write(encodeData(id, Buffer.from(text as string), isLast));
  }

  stream(id: number): ReceivedStream {
    return this.received.get(id)!;
  }

  private receive(chunk: Buffer): void {
    // Replies have stored header blocks; their stream is in the bytes of the frame itself.
    for (const frame of this.parser.parse(chunk)) {
      if (frame.type === 'data') {
        const stream = this.stream(frame.stream);
        stream.text += frame.bytes.toString('latin1');
        stream.isOver ||= frame.isLast;
      } else if (frame.type === 'rstStream') this.stream(frame.stream).isReset = true;
      else if (frame.type === 'ping') this.pings.push(frame.id);
      else if (frame.type === 'goAway') this.hasGoAway = true;
      else if (frame.type === 'headers') this.reply();
    }
  }

  /** Replies come in the order of the requests. */
  private reply(): void {
    const next = [...this.received.values()].find(({ isReplied, isReset }) => !isReplied && !isReset);
    if (next) next.isReplied = true;
  }
}
