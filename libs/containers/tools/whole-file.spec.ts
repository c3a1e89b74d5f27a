import { expect, test } from '@jest/globals';
import { SystemError } from '../../engine/kernel/errno.js';
import type { OpenFlags, Syscalls } from '../../engine/kernel/process/syscalls.js';
import { writeWholeFile } from './whole-file.js';

/** A disk with room for so many bytes, which takes three of them at a time. */
function makeDisk(room: number): { sys: Syscalls; seen: unknown[] } {
  const seen: unknown[] = [];
  let left = room;
  const sys = {
    open: (path: string, flags: OpenFlags, mode: number) => (seen.push([path, Object.keys(flags), mode]), 3),
    write: (_: number, bytes: string) => {
      const part = bytes.slice(0, Math.min(3, left));
      left -= part.length;
      if (part !== '') seen.push(part);
      return part.length;
    },
    close: () => seen.push('closed'),
  } as unknown as Syscalls;
  return { sys, seen };
}

test.each([
  ['anew', {}, [['/f', ['write', 'create', 'truncate'], 0o644], 'abc', 'de', 'closed']],
  ['at its end', { appends: true, mode: 0o600 }, [['/f', ['write', 'create', 'append'], 0o600], 'abc', 'de', 'closed']],
])('all bytes are written, %s', (_name, options, expected) => {
  const { sys, seen } = makeDisk(10);
  writeWholeFile(sys, '/f', 'abcde', options);
  expect(seen).toEqual(expected);
});

test('what finds no room is an error, and the file is closed', () => {
  const { sys, seen } = makeDisk(4);
  expect(() => writeWholeFile(sys, '/f', 'abcde')).toThrow(new SystemError('ENOSPC'));
  expect(seen.slice(1)).toEqual(['abc', 'd', 'closed']);
});
