import type { Confinement } from './process/confinement/confinement.js';
import type { Millis } from '../machinery/time/time.js';
import type { Bytes } from './bytes.js';
import type { ContainerExit } from './container.js';
import type { FileNode } from './files/file.js';
import type { SavedHost } from './host/host.js';
import type { Trouble } from './trouble.js';

/** A mount by the id of its tree: what a machine that is written down knows of it. */
export interface SavedMount {
  readonly path: Bytes;
  readonly tree: string;
  readonly subPath?: Bytes;
  readonly readOnly: boolean;
  readonly source: string;
  readonly type: string;
  readonly options: readonly string[];
}

export interface Log {
  /** Files with the older entries: 'lines.0', 'lines.1' and so on. */
  readonly tree: string;
  /** The numbers of the oldest file, and of the next. */
  first: number;
  next: number;
  fileBytes: number;
  /** Lines in files that were deleted. */
  dropped: number;
  /** The newest entries: 'TIME STREAM TAG TEXT' and a newline each. */
  tail: Bytes;
  /** What has no newline yet. */
  readonly pending: { stdout: Bytes; stderr: Bytes };
}

/** The CPU time of a container. */
export interface CpuAccount {
  /** Steps that may be run at once. */
  tokens: number;
  refilledAt: Millis;
  /** Since when it has run whenever it might. */
  exhaustedSince?: Millis;
  /** ms of CPU. */
  used: number;
  /** Of these, beside its own steps, in the last windows of a scrape: pairs of a window's number and ms. */
  recent?: number[];
  /** What a program that books its use now and then uses all the while, in thousandths of a CPU. */
  steady?: number;
  /** The CFS period that was last counted, and the ms used in it. */
  period: number;
  usedInPeriod: number;
  periods: number;
  throttledPeriods: number;
  throttledMs: number;
  /** It may not run before. */
  throttledUntil: Millis;
}

/** A container, as data. */
export interface Container {
  readonly id: string;
  readonly name: string;
  readonly argv: readonly Bytes[];
  readonly env: Readonly<Record<string, Bytes>>;
  readonly cwd: Bytes;
  readonly user: number;
  readonly group: number;
  readonly groups: readonly number[];
  readonly root: string;
  readonly readOnlyRoot: boolean;
  readonly mounts: readonly SavedMount[];
  /** Folders that have a /proc, a /dev and a /sys. */
  readonly systemRoots?: readonly Bytes[];
  /** The host whose processes it sees. */
  readonly host?: SavedHost;
  readonly hasTerminal: boolean;
  readonly stdinOnce: boolean;
  memoryLimit?: number;
  cpuLimit?: number;
  cpuShares: number;
  readonly processLimit: number;
  readonly capabilities: readonly string[];
  readonly noNewPrivileges?: boolean;
  /** Calls that its seccomp profile denies; absent: it has none. */
  readonly filter?: readonly string[];
  /** What the security module denies it; absent: what every container is denied. */
  readonly confinement?: Confinement;
  /** The first user of the host that its users are mapped to; absent: they are the host's own. */
  readonly usersFrom?: number;
  /** TCP ports of its network namespace at which programs of other machines listen. */
  readonly takenPorts?: readonly number[];
  /** The kernel that it has instead of the node's. */
  readonly kernel?: 'gvisor';
  readonly hostname: Bytes;
  readonly startedAt: Millis;
  /** The PID namespace. */
  readonly namespace: string;
  /** The id of the main process. */
  main: number;
  /** Files that are mounted one by one. */
  readonly files: Readonly<Record<Bytes, FileNode>>;
  /** The open writing end of its stdin, a description. */
  stdin?: number;
  terminal?: number;
  readonly log: Log;
  readonly cpu: CpuAccount;
  memoryPeak: number;
  isOutOfMemory: boolean;
  oomKills: number;
  exit?: ContainerExit;
  /** Processes that wait for the container's CPU time. */
  parked: number[];
  /** Absent: nothing is wrong. */
  trouble?: Trouble;
  /** Up to when the account of CPU has what a stressor uses. */
  stressedAt?: Millis;
}
