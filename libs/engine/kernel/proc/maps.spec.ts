import { expect, test } from '@jest/globals';
import type { Process } from '../process/process.js';
import { mapLines } from './maps.js';

test('a process maps its program, its heap, the C library and its stack', () => {
  const text = mapLines({ executable: '/usr/sbin/nginx', memory: 8_192, held: 0 } as Process);
  const lines = text.trimEnd().split('\n');
  expect(lines[0]).toBe('55d0c4b0a000-55d0c4b10000 r--p 00000000 00:2f 1050031                    /usr/sbin/nginx');
  expect(lines.map((line) => line.slice(73))).toEqual([
    ...Array.from({ length: 4 }, () => '/usr/sbin/nginx'),
    '[heap]',
    ...Array.from({ length: 4 }, () => '/usr/lib/x86_64-linux-gnu/libc.so.6'),
    '[stack]',
    '[vdso]',
  ]);
});
