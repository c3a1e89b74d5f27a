import type { Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import type { OpenFlags } from '../../../engine/kernel/process/syscalls.js';
import type { Node } from './node.js';

export interface Pipe {
  buffer: Bytes;
  writers: number;
  readers: number;
  readonly capacity: number;
}

type Shared = { offset: number; uses: number };

export type Open =
  | ({ kind: 'file'; node: Node; flags: OpenFlags } & Shared)
  | ({ kind: 'reader'; pipe: Pipe } & Shared)
  | ({ kind: 'writer'; pipe: Pipe } & Shared);
export function isReadable(open: Open | undefined): boolean {
  return open === undefined || open.kind !== 'reader' || open.pipe.buffer !== '' || open.pipe.writers === 0;
}

export function isWritable(open: Open | undefined): boolean {
  return open?.kind !== 'writer' || open.pipe.buffer.length < open.pipe.capacity || open.pipe.readers === 0;
}

export function readFrom(open: Open, max: number): Bytes | undefined {
  if (open.kind === 'writer') throw new SystemError('EBADF');
  if (open.kind === 'reader') {
    const { pipe } = open;
    if (pipe.buffer === '') return pipe.writers === 0 ? '' : undefined;
    const bytes = pipe.buffer.slice(0, max);
    pipe.buffer = pipe.buffer.slice(max);
    return bytes;
  }

  if (open.node.type === 'directory') throw new SystemError('EISDIR');
  if (open.node.type === 'char') return '';
  const bytes = (open.node.content ?? '').slice(open.offset, open.offset + max);
  open.offset += bytes.length;
  return bytes;
}

export function writeTo(open: Open, bytes: Bytes, now: number): number {
  if (open.kind === 'reader') throw new SystemError('EBADF');
  if (open.kind === 'writer') {
    const count = Math.min(bytes.length, open.pipe.capacity - open.pipe.buffer.length);
    open.pipe.buffer += bytes.slice(0, count);
    return count;
  }

  if (open.node.type === 'char') return bytes.length;
  const before = open.node.content ?? '';
  const offset = open.flags.append === true ? before.length : open.offset;
  const padded = before.padEnd(offset, '\0');
  open.node.content = padded.slice(0, offset) + bytes + padded.slice(offset + bytes.length);
  open.offset = offset + bytes.length;
  open.node.modified = now;
  return bytes.length;
}
