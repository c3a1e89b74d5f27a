import type { Frame } from './feed.js';

/**
 * Frames on their way to one reader: written at once, read with `for await`. Frames that wait are read as one chunk.
 * A reader that lets more than `maxBytes` pile up is cut off.
 */
export class FrameStream implements AsyncIterableIterator<Frame> {
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

  /** False when the reader has been cut off. */
  write(frames: readonly Frame[]): boolean {
    if (this.over) return false;
    for (const frame of frames) {
      this.waiting.push(frame);
      this.bytes += frame.length;
    }
    if (this.bytes > this.maxBytes) {
      this.waiting = [];
      this.end();
      return false;
    }
    if (frames.length > 0) this.notify();
    return true;
  }

  /** Resolves when the reader has taken everything, or the stream has ended. */
  async drained(): Promise<void> {
    if (this.over || this.waiting.length === 0) return;
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
    while (this.waiting.length === 0) {
      if (this.over) return { done: true, value: undefined };
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
    const frames = this.waiting;
    this.waiting = [];
    this.bytes = 0;
    this.drain?.();
    this.drain = undefined;
    return { done: false, value: join(frames) };
  }

  async return(): Promise<IteratorResult<Frame>> {
    this.waiting = [];
    this.end();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
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
