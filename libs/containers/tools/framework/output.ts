import type { Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import { type Wait, waitToWrite } from '../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';

/** Bytes that are to be written, by descriptor, in their order. */
export type Output = [descriptor: number, bytes: Bytes][];

export function addOutput(output: Output, descriptor: number, bytes: Bytes): void {
  const last = output.at(-1);
  if (last !== undefined && last[0] === descriptor) last[1] += bytes;
  else if (bytes !== '') output.push([descriptor, bytes]);
}

/**
 * Writes as much as the readers take. Undefined: all is written; else what to wait for. A write that fails drops the
 * rest for that descriptor and throws SystemError.
 */
export function flushOutput(output: Output, sys: Syscalls): Wait | undefined {
  for (let first = output[0]; first !== undefined; first = output[0]) {
    const [descriptor, bytes] = first;
    const count = writeOrDrop(output, descriptor, bytes, sys);
    // The bytes are the kernel's work, which it charges itself.
    sys.charge(1);
    if (count < bytes.length) {
      first[1] = bytes.slice(count);
      return waitToWrite(descriptor);
    }
    output.shift();
  }
  return undefined;
}

function writeOrDrop(output: Output, descriptor: number, bytes: Bytes, sys: Syscalls): number {
  try {
    return sys.write(descriptor, bytes);
  } catch (error) {
    const others = output.filter(([other]) => other !== descriptor);
    output.splice(0, output.length, ...others);
    // Nobody reads what a program says about a closed standard error.
    if (descriptor === 2 && error instanceof SystemError) return bytes.length;
    throw error;
  }
}
