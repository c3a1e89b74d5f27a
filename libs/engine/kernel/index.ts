/** What Linux is to a node: machines, and the programs that run on them. */
export { bytesOf, fromArray, textOf, toArray, type Bytes } from './bytes.js';
export {
  DEFAULT_CAPABILITIES,
  StartFailure,
  type ContainerExit,
  type ContainerSpec,
  type ContainerView,
  type LogLine,
  type Mount,
} from './container.js';
export { ERRORS, errorCodeOf, SystemError, type ErrorCode } from './errno.js';
export type { FileNode, FileStat, FileSystemStat, FileType, ImageFiles, MountEntry } from './files/file.js';
export { FileTree, type FileRow } from './files/tree.js';
export { Machine, type MachineOptions } from './machine.js';
export { NO_NETWORK, type Destination, type Network, type Remote } from './network.js';
export { KERNEL_RELEASE, KERNEL_VERSION } from './proc/kernel-facts.js';
export * from './process/program.js';
export type * from './process/syscalls.js';
export type { SavedMachine } from './saved.js';
export type { SessionOutput, TerminalSize } from './sessions/session.js';
export { SIGNALS, type Signal, type SignalAction } from './signals.js';
export { World } from './world.js';
