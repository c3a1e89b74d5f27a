/** One event of a watch as it is on the wire: a line of JSON, or protobuf behind its length. Or several of them. */
export type Frame = string | Uint8Array;

/** Frames as one. */
export function joinFrames(frames: readonly Frame[]): Frame {
  if (frames.length === 1) return frames[0]!;
  if (frames.every((f) => typeof f === 'string')) return frames.join('');
  return Buffer.concat(frames.map((f) => (typeof f === 'string' ? Buffer.from(f) : f)));
}
