const FIRST_BYTES = 64 * 1024;
/** Of one UTF-16 unit in UTF-8. */
const UNIT_MAX_BYTES = 3;

/**
 * UTF-8 text that grows at its end. Its memory is used again after clear(): fresh megabytes cost more than what is
 * written there.
 */
export class TextBuffer {
  private memory = Buffer.allocUnsafe(FIRST_BYTES);
  private end = 0;

  /** `keptBytes`: no more memory is kept by clear(). */
  constructor(private readonly keptBytes: number) {}

  /** Returns the text's bytes. */
  append(text: string): number {
    this.reserve(UNIT_MAX_BYTES * text.length);
    const written = this.memory.write(text, this.end);
    this.end += written;
    return written;
  }

  get length(): number {
    return this.end;
  }

  /** Valid until the next append() or clear(). */
  view(): Buffer {
    return this.memory.subarray(0, this.end);
  }

  clear(): void {
    this.end = 0;
    if (this.memory.length > this.keptBytes) this.memory = Buffer.allocUnsafe(FIRST_BYTES);
  }

  private reserve(bytes: number): void {
    const needed = this.end + bytes;
    if (needed <= this.memory.length) return;
    const memory = Buffer.allocUnsafe(Math.max(needed, 2 * this.memory.length));
    this.memory.copy(memory, 0, 0, this.end);
    this.memory = memory;
  }
}
