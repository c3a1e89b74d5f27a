import type { ProcessLimits } from './limits.js';
import type { Millis } from '../../machinery/time/time.js';
import type { Bytes } from '../bytes.js';
import type { Signal } from '../signals.js';
import type { Plain } from './program.js';

/** What a process waits for: Wait of the program, as data. */
export interface Waiting {
  readonly readable?: readonly number[];
  readonly writable?: readonly number[];
  readonly until?: Millis;
  readonly child?: true;
}

/**
 * A process, as data. `id` is unique in the machine, `pid` in its PID namespace. `ready`: it is in the scheduler's
 * queue.
 */
export interface Process {
  readonly id: number;
  readonly pid: number;
  /** The PID namespace. */
  readonly namespace: string;
  readonly container: string;
  /** The parent's id; 0: outside of the namespace. */
  parent: number;
  /** pids of the namespace. */
  group: number;
  session: number;
  status: 'ready' | 'waiting' | 'stopped' | 'zombie';
  waiting?: Waiting;
  /** How it was before it was stopped. */
  beforeStop?: 'ready' | 'waiting';
  program: string;
  /** Undefined: the program has not begun. */
  state?: Plain;
  argv: Bytes[];
  env: Record<string, Bytes>;
  cwd: Bytes;
  /** The folder of the container that chroot has made its root; the working directory is one below it. */
  root?: Bytes;
  /** The network namespace of the host that it has gone to (Network.enter); absent: its machine's own. */
  networkNamespace?: string;
  /** /proc/PID/comm: the last part of the path that was executed. */
  name: Bytes;
  /** /proc/PID/exe. */
  executable: Bytes;
  umask: number;
  /** What setrlimit has set below what the container has, which its children inherit; absent: nothing. */
  limits?: ProcessLimits;
  user: number;
  groupId: number;
  groups: number[];
  /** Open file descriptions by descriptor. */
  descriptors: Record<number, number>;
  /** Signals that are not treated by default. */
  actions: Partial<Record<Signal, 'ignore' | 'catch'>>;
  pending: Signal[];
  /** Caught signals that the program has not taken yet. */
  caught: Signal[];
  /** A caught signal ends its wait. */
  isInterrupted?: boolean;
  /** The controlling terminal. */
  terminal?: number;
  exit?: { readonly code: number; readonly signal?: Signal };
  /** A change that the parent has not waited for. */
  report?: { readonly state: 'stopped' | 'continued'; readonly signal: Signal };
  /** A child has changed since the last wait that found none. */
  hasChildNews?: boolean;
  /** The exec session that it is the process of. */
  sessionId?: string;
  readonly startedAt: Millis;
  /** Steps of work. */
  cpu: number;
  /** Bytes, as the program says. */
  memory: number;
  /** Bytes of its state, as last measured. */
  held: number;
  /** Its draws of random numbers. */
  draws: number;
  /** It does not go on before: the calls that it has made take so long. */
  stalledUntil?: Millis;
  /** The code that it exits with then. */
  exitsWith?: number;
  /** Set by exec: the program begins anew. */
  isReplaced?: boolean;
}

/** A PID namespace: pids by number. */
export interface PidNamespace {
  readonly id: string;
  nextPid: number;
  /** Ids of processes by pid. */
  readonly pids: Map<number, number>;
}
