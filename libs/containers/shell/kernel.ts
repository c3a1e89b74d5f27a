/** What the shell uses of the kernel. */
export { type Bytes, bytesOf, toArray } from '../../engine/kernel/bytes.js';
export { type ErrorCode, ERRORS, errorCodeOf, SystemError } from '../../engine/kernel/errno.js';
export type { FileStat } from '../../engine/kernel/files/file.js';
export {
  EXEC,
  exit,
  type Plain,
  type Program,
  type Programs,
  sleepUntil,
  type TextCourse,
  type Texts,
  type Wait,
  waitForChild,
  waitToRead,
  waitToWrite,
  YIELD,
} from '../../engine/kernel/process/program.js';
export type { ChildStatus, Syscalls } from '../../engine/kernel/process/syscalls.js';
export { type Signal, type SignalAction, SIGNALS } from '../../engine/kernel/signals.js';
