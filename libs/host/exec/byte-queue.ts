/** Smaller pieces are copied into blocks: a flood of single bytes must not become as many objects. */
const SMALL_BYTES = 1024;
const BLOCK_BYTES = 4096;

/** Bytes that wait, in order. Its memory is about as large as they are, however small the pieces in which they come. */
export class ByteQueue {
  private chunks: Buffer[] = [];
  private block = Buffer.alloc(0);
  private blockUsed = 0;
  private size = 0;

  get length(): number {
    return this.size;
  }

  push(bytes: Buffer): void {
    this.size += bytes.length;
    if (bytes.length >= SMALL_BYTES) {
      this.endBlock();
      this.chunks.push(bytes);
      return;
    }
    if (this.blockUsed + bytes.length > this.block.length) {
      this.endBlock();
      this.block = Buffer.allocUnsafe(BLOCK_BYTES);
    }
    bytes.copy(this.block, this.blockUsed);
    this.blockUsed += bytes.length;
  }

  /** Gives back what was taken last. */
  putBack(bytes: Buffer): void {
    this.size += bytes.length;
    this.chunks.unshift(bytes);
  }

  /** Takes the first bytes, at most so many. */
  take(max = this.size): Buffer {
    this.endBlock();
    const all = this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks);
    const taken = all.subarray(0, max);
    const rest = all.subarray(max);
    this.chunks = rest.length > 0 ? [rest] : [];
    this.size = rest.length;
    return taken;
  }

  private endBlock(): void {
    if (this.blockUsed > 0) this.chunks.push(this.block.subarray(0, this.blockUsed));
    this.block = this.block.subarray(this.blockUsed);
    this.blockUsed = 0;
  }
}
