import type { Millis } from '../machinery/time/time.js';
import type { Bytes } from './bytes.js';
import type { ErrorCode } from './errno.js';

/** What is wrong with a container, as somebody outside of it has made it. */
export interface Trouble {
  /** So much later is the time that its processes' clock shows; negative: earlier. */
  readonly clockMs?: Millis;
  /** What something else in its cgroup would use, in thousandths of a CPU. */
  readonly stress?: number;
  readonly mounts?: readonly MountTrouble[];
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
}
