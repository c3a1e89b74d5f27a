import type { Frame } from './feed.js';

const PIECE_BYTES = 256 * 1024;

/**
 * Frames on their way to one reader: written at once, read with `for await`. Frames that wait are read as one chunk.
 * A reader that lets more than `maxBytes` pile up is cut off.
 */
export class FrameStream implements AsyncIterableIterator<Frame> {
  private initial: readonly Frame[] = [];
  private taken = 0;
  private waiting: Frame[] = [];
  private bytes = 0;
  private over = false;
  private wake: (() => void) | undefined;
  private drain: (() => void) | undefined;
  private readonly cleanups: (() => void)[] = [];

  constructor(private readonly maxBytes: number) {}

  get ended(): boolean {
    return this.over;
  }

  /** What the reader gets first, in pieces: it may be larger than what may wait. */
  begin(frames: readonly Frame[]): void {
    this.initial = frames;
    if (frames.length > 0) this.notify();
  }

  /** False when the reader has been cut off. */
  write(frames: readonly Frame[]): boolean {
    if (this.over) return false;
    for (const frame of frames) {
      this.waiting.push(frame);
      this.bytes += frame.length;
    }
    if (this.bytes > this.maxBytes) {
      this.drop();
      this.end();
      return false;
    }
    if (frames.length > 0) this.notify();
    return true;
  }

  /** Resolves when the reader has taken everything, or the stream has ended. */
  async drained(): Promise<void> {
    if (this.over || this.empty) return;
    await new Promise<void>((resolve) => (this.drain = resolve));
  }

  onEnd(cleanup: () => void): void {
    if (this.over) cleanup();
    else this.cleanups.push(cleanup);
  }

  /** What waits is still read. */
  end(): void {
    if (this.over) return;
    this.over = true;
    for (const cleanup of this.cleanups.splice(0)) cleanup();
    this.notify();
    this.drain?.();
  }

  async next(): Promise<IteratorResult<Frame>> {
    while (this.empty) {
      if (this.over) return { done: true, value: undefined };
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
    if (this.taken < this.initial.length) return { done: false, value: this.piece() };
    const frames = this.waiting;
    this.waiting = [];
    this.bytes = 0;
    this.drain?.();
    this.drain = undefined;
    return { done: false, value: join(frames) };
  }

  async return(): Promise<IteratorResult<Frame>> {
    this.drop();
    this.end();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private get empty(): boolean {
    return this.waiting.length === 0 && this.taken >= this.initial.length;
  }

  private drop(): void {
    this.waiting = [];
    this.initial = [];
  }

  private piece(): Frame {
    const start = this.taken;
    for (let bytes = 0; bytes < PIECE_BYTES && this.taken < this.initial.length; this.taken++)
      bytes += this.initial[this.taken]!.length;
    const frames = this.initial.slice(start, this.taken);
    if (this.taken === this.initial.length) {
      this.initial = [];
      this.taken = 0;
      if (this.waiting.length === 0) this.drain?.();
    }
    return join(frames);
  }

  private notify(): void {
    const { wake } = this;
    this.wake = undefined;
    wake?.();
  }
}

function join(frames: readonly Frame[]): Frame {
  if (frames.length === 1) return frames[0]!;
  if (frames.every((f) => typeof f === 'string')) return frames.join('');
  return Buffer.concat(frames.map((f) => (typeof f === 'string' ? Buffer.from(f) : f)));
}
