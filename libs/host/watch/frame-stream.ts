import type { Frame } from './broadcaster.js';

/** The initial frames are read in chunks of about this size. */
const INITIAL_CHUNK_BYTES = 256 * 1024;

/**
 * Frames on their way to one reader: `write` returns at once, and the reader uses `for await`. Frames that have
 * gathered are read as one chunk. A reader that lets more than `maxBytes` gather is cut off.
 */
export class FrameStream implements AsyncIterableIterator<Frame> {
  private initial: readonly Frame[] = [];
  /** Initial frames that have been read. */
  private initialRead = 0;
  private waiting: Frame[] = [];
  private bytes = 0;
  private isOver = false;
  private wakeReader: (() => void) | undefined;
  private notifyDrained: (() => void) | undefined;
  private readonly cleanups: (() => void)[] = [];

  constructor(private readonly maxBytes: number) {}

  get hasEnded(): boolean {
    return this.isOver;
  }

  /** The frames that the reader gets first, in several chunks: they may be larger than `maxBytes`. */
  writeInitial(frames: readonly Frame[]): void {
    this.initial = frames;
    if (frames.length > 0) this.notify();
  }

  /** False when the reader has been cut off. */
  write(frames: readonly Frame[]): boolean {
    if (this.isOver) return false;
    for (const frame of frames) {
      this.waiting.push(frame);
      this.bytes += frame.length;
    }
    if (this.bytes > this.maxBytes) {
      this.discard();
      this.end();
      return false;
    }
    if (frames.length > 0) this.notify();
    return true;
  }

  /** Resolves when the reader has taken everything, or the stream has ended. */
  async waitUntilDrained(): Promise<void> {
    if (this.isOver || this.isEmpty) return;
    await new Promise<void>((resolve) => (this.notifyDrained = resolve));
  }

  onEnd(cleanup: () => void): void {
    if (this.isOver) cleanup();
    else this.cleanups.push(cleanup);
  }

  /** Frames that have gathered are still read. */
  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    for (const cleanup of this.cleanups.splice(0)) cleanup();
    this.notify();
    this.notifyDrained?.();
  }

  async next(): Promise<IteratorResult<Frame>> {
    while (this.isEmpty) {
      if (this.isOver) return { done: true, value: undefined };
      await new Promise<void>((resolve) => (this.wakeReader = resolve));
    }
    if (this.initialRead < this.initial.length) return { done: false, value: this.readInitial() };
    const frames = this.waiting;
    this.waiting = [];
    this.bytes = 0;
    this.notifyDrained?.();
    this.notifyDrained = undefined;
    return { done: false, value: join(frames) };
  }

  async return(): Promise<IteratorResult<Frame>> {
    this.discard();
    this.end();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private get isEmpty(): boolean {
    return this.waiting.length === 0 && this.initialRead >= this.initial.length;
  }

  private discard(): void {
    this.waiting = [];
    this.initial = [];
  }

  private readInitial(): Frame {
    const start = this.initialRead;
    for (let bytes = 0; bytes < INITIAL_CHUNK_BYTES && this.initialRead < this.initial.length; this.initialRead++)
      bytes += this.initial[this.initialRead]!.length;
    const frames = this.initial.slice(start, this.initialRead);
    if (this.initialRead === this.initial.length) {
      this.initial = [];
      this.initialRead = 0;
      if (this.waiting.length === 0) this.notifyDrained?.();
    }
    return join(frames);
  }

  private notify(): void {
    const { wakeReader } = this;
    this.wakeReader = undefined;
    wakeReader?.();
  }
}

function join(frames: readonly Frame[]): Frame {
  if (frames.length === 1) return frames[0]!;
  if (frames.every((f) => typeof f === 'string')) return frames.join('');
  return Buffer.concat(frames.map((f) => (typeof f === 'string' ? Buffer.from(f) : f)));
}
