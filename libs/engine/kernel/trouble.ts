import type { Millis } from '../machinery/time/time.js';
import type { Bytes } from './bytes.js';
import type { ErrorCode } from './errno.js';

/** What is wrong with a container, as somebody outside of it has made it. */
export interface Trouble {
  /** So much later is the time that its processes' clock shows; negative: earlier. */
  readonly clockMs?: Millis;
  /** What something else in its cgroup would use, in thousandths of a CPU. */
  readonly stress?: number;
  /** Processes that do so; absent: as many as it takes. */
  readonly workers?: number;
  readonly mounts?: readonly MountTrouble[];
  readonly leak?: LeakTrouble;
}

/** Its main process loses memory from its start, or from a time, on: evenly, up to its limit. */
export interface LeakTrouble {
  readonly from: Millis;
  readonly afterMs: Millis;
}

export interface MountTrouble {
  /** The mount point. */
  readonly path: Bytes;
  /** Nothing can be changed, or nothing added. */
  readonly state?: 'read-only' | 'full';
  /** What reading and writing fails with, so often. */
  readonly error?: ErrorCode;
  readonly percent?: number;
  /** Only these calls; absent: all. */
  readonly calls?: 'read' | 'write';
  /** What each call takes longer. */
  readonly latencyMs?: Millis;
  /** Only this file, or what is below this folder. */
  readonly below?: Bytes;
  /** What stat says instead. */
  readonly attributes?: AttributeTrouble;
  /** What is read and written comes out otherwise. */
  readonly mistake?: MistakeTrouble;
}

/** Times in ms since 1970. */
export interface AttributeTrouble {
  readonly mode?: number;
  readonly user?: number;
  readonly group?: number;
  readonly size?: number;
  readonly blocks?: number;
  readonly inode?: number;
  readonly links?: number;
  readonly type?: 'file' | 'directory' | 'link' | 'fifo' | 'char' | 'block' | 'socket';
  readonly accessed?: Millis;
  readonly modified?: Millis;
  readonly changed?: Millis;
}

/** Up to so many times a call, up to so many bytes are others. */
export interface MistakeTrouble {
  readonly filling: 'zero' | 'random';
  readonly occurrences: number;
  readonly length: number;
}
