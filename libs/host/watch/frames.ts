/** One event of a watch as it is on the wire: a line of JSON, or protobuf behind its length. Or several of them. */
export type Frame = string | Uint8Array;

/** Frames are joined up to about so many bytes: more would hold the thread. */
export const CHUNK_BYTES = 256 * 1024;

/** As few frames as chunks of a bounded size allow. */
export function joinInChunks(frames: readonly Frame[]): Frame[] {
  const chunks: Frame[] = [];
  for (let from = 0, to: number; from < frames.length; from = to) {
    to = chunkEnd(frames, from);
    chunks.push(joinFrames(frames.slice(from, to)));
  }
  return chunks;
}

/** The index behind the frames that make one chunk. */
export function chunkEnd(frames: readonly Frame[], from = 0): number {
  let bytes = 0;
  for (let i = from; i < frames.length; i++) {
    bytes += frames[i]!.length;
    if (bytes >= CHUNK_BYTES) return i + 1;
  }
  return frames.length;
}

/** Frames as one. */
export function joinFrames(frames: readonly Frame[]): Frame {
  if (frames.length === 1) return frames[0]!;
  if (frames.every((f) => typeof f === 'string')) return frames.join('');
  return Buffer.concat(frames.map((f) => (typeof f === 'string' ? Buffer.from(f) : f)));
}
