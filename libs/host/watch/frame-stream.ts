import { CHUNK_BYTES, chunkEnd, joinFrames, type Frame } from './frames.js';

/**
 * Frames on their way to one reader: `write` returns at once, and the reader uses `for await`. Frames that have
 * gathered are read in chunks. A reader that lets more than `maxBytes` gather is cut off.
 */
export class FrameStream implements AsyncIterableIterator<Frame> {
  private initial: Iterator<Frame> | undefined;
  /** The next initial frame: undefined when there are none left. */
  private nextInitial: Frame | undefined;
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

  /** Bytes that wait for the reader, without the initial frames. */
  get bufferedBytes(): number {
    return this.bytes;
  }

  /** The frames that the reader gets first, taken in chunks as it reads: they may be larger than `maxBytes`. */
  writeInitial(frames: Iterable<Frame>): void {
    this.initial = frames[Symbol.iterator]();
    this.takeInitial();
    if (this.nextInitial !== undefined) this.notify();
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
    return { done: false, value: this.takeChunk() };
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
    return this.waiting.length === 0 && this.nextInitial === undefined;
  }

  private takeChunk(): Frame {
    if (this.nextInitial !== undefined) return this.readInitial(this.nextInitial);
    const frames = this.waiting.splice(0, chunkEnd(this.waiting));
    for (const { length } of frames) this.bytes -= length;
    if (this.isEmpty) {
      this.notifyDrained?.();
      this.notifyDrained = undefined;
    }
    return joinFrames(frames);
  }

  private discard(): void {
    this.waiting = [];
    this.bytes = 0;
    this.initial = this.nextInitial = undefined;
  }

  private takeInitial(): void {
    const next = this.initial?.next();
    this.nextInitial = next && !next.done ? next.value : undefined;
    if (this.nextInitial === undefined) this.initial = undefined;
  }

  private readInitial(first: Frame): Frame {
    const frames = [first];
    let bytes = first.length;
    for (this.takeInitial(); this.nextInitial !== undefined && bytes < CHUNK_BYTES; this.takeInitial()) {
      frames.push(this.nextInitial);
      bytes += this.nextInitial.length;
    }
    if (this.isEmpty) this.notifyDrained?.();
    return joinFrames(frames);
  }

  private notify(): void {
    const { wakeReader } = this;
    this.wakeReader = undefined;
    wakeReader?.();
  }
}
