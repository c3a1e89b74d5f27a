import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import type { CheckpointState } from '@terrarium/engine';
import { unpack } from '@terrarium/store';

const deflateAsync = promisify(deflate);

/** The bytes that the store keeps. The JSON text is made before this returns, so that the state may go on changing. */
export function encodeCheckpoint(state: CheckpointState): Promise<Uint8Array> {
  return deflateAsync(JSON.stringify(state), { level: 1 });
}

export const decodeCheckpoint = (bytes: Uint8Array): CheckpointState => JSON.parse(unpack(bytes)) as CheckpointState;
