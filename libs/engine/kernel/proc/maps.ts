import type { Bytes } from '../bytes.js';
import { residentOf } from '../cgroup/memory.js';
import type { Process } from '../process/process.js';

const PAGE = 4_096;
/** Where the kernel puts a program that is position-independent, its libraries and its stack, without their chance. */
const PROGRAM = 0x55d0_c4b0_a000;
const LIBRARIES = 0x7f1c_2a40_0000;
const STACK = 0x7ffc_3e5a_1000;
const LIBC = '/usr/lib/x86_64-linux-gnu/libc.so.6';

/** /proc/PID/maps: the program, its heap, the C library and the stack. Left out: the other libraries and files. */
export function mapLines(process: Process): Bytes {
  const { executable } = process;
  const heap = Math.max(1, Math.ceil(residentOf(process) / PAGE));
  return [
    line(PROGRAM, 6, 'r--p', 0, executable),
    line(PROGRAM + 6 * PAGE, 20, 'r-xp', 6, executable),
    line(PROGRAM + 26 * PAGE, 8, 'r--p', 26, executable),
    line(PROGRAM + 34 * PAGE, 3, 'rw-p', 33, executable),
    line(PROGRAM + 64 * PAGE, heap, 'rw-p', 0, '[heap]'),
    line(LIBRARIES, 40, 'r--p', 0, LIBC),
    line(LIBRARIES + 40 * PAGE, 357, 'r-xp', 40, LIBC),
    line(LIBRARIES + 397 * PAGE, 85, 'r--p', 397, LIBC),
    line(LIBRARIES + 482 * PAGE, 6, 'rw-p', 481, LIBC),
    line(STACK, 33, 'rw-p', 0, '[stack]'),
    line(STACK + 64 * PAGE, 2, 'r-xp', 0, '[vdso]'),
  ].join('');
}

/** Addresses, rights, offset, device and inode, and from column 73 on what it is of. */
function line(from: number, pages: number, rights: string, offset: number, name: Bytes): Bytes {
  const hex = (value: number): string => value.toString(16).padStart(12, '0');
  const isFile = name.startsWith('/');
  const place = isFile ? `00:2f ${1_048_576 + name.length * 97}` : '00:00 0';
  const start = `${hex(from)}-${hex(from + pages * PAGE)} ${rights} ${(offset * PAGE).toString(16).padStart(8, '0')}`;
  return `${`${start} ${place} `.padEnd(73)}${name}\n`;
}
