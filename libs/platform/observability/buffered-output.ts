import fs from 'node:fs';

/** Characters that are written together. */
const CHUNK_CHARACTERS = 8 * 1024;
/** What waits for a reader that has stopped reading; lines beyond it are dropped and counted. */
const MAX_WAITING_CHARACTERS = 4 * 1024 * 1024;
const RETRY_MS = 20;
/** How long flushSync waits for a reader that is slow. */
const SYNC_PATIENCE_MS = 500;

export type FileSystem = Pick<typeof fs, 'write' | 'writeSync'>;

/**
 * Lines to a file descriptor, in large writes beside the event loop. pino's own asynchronous destination does not
 * return from its flush at exit when the reader has gone (sonic-boom 4 retries EPIPE for ever), and its synchronous
 * one stops the event loop while the reader is slow.
 */
export class BufferedOutput {
  /** Lines that a reader who has stopped reading has cost. */
  dropped = 0;
  private waiting: string[] = [];
  private length = 0;
  private isWriting = false;
  /** Bytes of a write that the descriptor has not taken yet. */
  private rest: Buffer | undefined;

  constructor(
    private readonly descriptor: number,
    private readonly files: FileSystem = fs,
  ) {}

  write(line: string): void {
    if (this.length + line.length > MAX_WAITING_CHARACTERS) {
      this.dropped++;
      return;
    }
    this.waiting.push(line);
    this.length += line.length;
    if (this.length >= CHUNK_CHARACTERS) this.flush();
  }

  /** Begins to write what is buffered. */
  flush(): void {
    if (this.isWriting) return;
    const bytes = this.take();
    if (!bytes) return;
    this.isWriting = true;
    this.files.write(this.descriptor, bytes, (error, written) => {
      this.isWriting = false;
      if (isBusy(error)) {
        this.rest = bytes;
        setTimeout(() => this.flush(), RETRY_MS).unref();
        return;
      }
      // Any other error means that nobody will read this: there is no place left where it could be told.
      if (error) return;
      if (written < bytes.length) this.rest = bytes.subarray(written);
      if (this.rest || this.length >= CHUNK_CHARACTERS) this.flush();
    });
  }

  /** Writes what is buffered before it returns, unless the reader has gone or is too slow. */
  flushSync(): void {
    const end = performance.now() + SYNC_PATIENCE_MS;
    for (let bytes = this.take(); bytes && bytes.length > 0;) {
      try {
        bytes = bytes.subarray(this.files.writeSync(this.descriptor, bytes));
      } catch (error) {
        if (!isBusy(error) || performance.now() > end) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
      }
    }
  }

  private take(): Buffer | undefined {
    if (!this.rest && this.waiting.length === 0) return undefined;
    const lines = Buffer.from(this.waiting.join(''));
    const bytes = this.rest ? Buffer.concat([this.rest, lines]) : lines;
    this.rest = undefined;
    this.waiting = [];
    this.length = 0;
    return bytes;
  }
}

const isBusy = (error: unknown): boolean => (error as NodeJS.ErrnoException | null)?.code === 'EAGAIN';
