import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import type { CheckpointState, KubeObject } from '@terrarium/engine';
import { unpack } from '@terrarium/store';
import { Breaks } from './breaks.js';

const deflateAsync = promisify(deflate);
const inflateAsync = promisify(inflate);

type Entry = CheckpointState['objects'][number];
type Header = Omit<CheckpointState, 'objects'>;

/**
 * First byte of a checkpoint in pieces: deflated JSON texts, each behind its length in four bytes. The first one is the
 * header, the others are lists of objects. A checkpoint without it is one JSON text, plain or deflated.
 */
const IN_PIECES = 1;
const LENGTH_BYTES = 4;
const PIECE_CHARS = 1024 * 1024;
/** No piece inflates to more: a guard against a damaged row. An object is smaller than 4 MiB. */
const PIECE_MAX_BYTES = 32 * 1024 * 1024;

/**
 * The bytes that the store keeps. Encoded in pieces, between which the event loop goes round: the state may go on
 * changing, since its objects are replaced and never mutated. `textOf`: the JSON of an object, where it is known
 * already.
 */
export async function encodeCheckpoint(
  { objects, ...header }: CheckpointState,
  textOf: (object: KubeObject) => string = JSON.stringify,
): Promise<Uint8Array> {
  const breaks = new Breaks();
  const pieces: Uint8Array[] = [Uint8Array.of(IN_PIECES)];
  const write = async (text: string): Promise<void> => {
    const bytes = await deflateAsync(text, { level: 1 });
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32BE(bytes.length);
    pieces.push(length, bytes);
  };
  await write(JSON.stringify(header satisfies Header));
  let piece = '';
  for (const { resource, object } of objects) {
    const text = `{"resource":${JSON.stringify(resource)},"object":${textOf(object)}}`;
    piece += (piece === '' ? '[' : ',') + text;
    if (piece.length < PIECE_CHARS) continue;
    await write(`${piece}]`);
    piece = '';
    await breaks.take();
  }
  if (piece !== '') await write(`${piece}]`);
  return Buffer.concat(pieces);
}

/** Decodes piece by piece; between two the event loop goes round. Throws when the bytes are damaged. */
export async function decodeCheckpoint(bytes: Uint8Array): Promise<CheckpointState> {
  if (bytes[0] !== IN_PIECES) return JSON.parse(unpack(bytes)) as CheckpointState;
  const breaks = new Breaks();
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let header: Header | undefined;
  const objects: Entry[] = [];
  for (let at = 1; at < buffer.length;) {
    const start = at + LENGTH_BYTES;
    at = start + buffer.readUInt32BE(at);
    const piece = await inflateAsync(buffer.subarray(start, at), { maxOutputLength: PIECE_MAX_BYTES });
    const value = JSON.parse(piece.toString()) as Header | Entry[];
    if (Array.isArray(value)) for (const entry of value) objects.push(entry);
    else header = value;
    await breaks.take();
  }
  if (!header) throw new Error('the checkpoint has no header');
  return { ...header, objects };
}
