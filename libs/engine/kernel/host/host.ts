import type { Millis } from '../../machinery/time/time.js';
import type { Bytes } from '../bytes.js';
import type { FileTree } from '../files/tree.js';

/** Where a container that may look into the host's processes finds the host's disk. */
export const HOST_ROOT = '/proc/1/root';

/** The host that a machine runs on, as one of its containers knows it. */
export interface HostView {
  /** A file of the host's disk that lists what runs there beside the machine: HostProcess[], as `processes` of JSON. */
  readonly list: Bytes;
  /** The container's first process in the host's PID namespace, of which it is; absent: it is in one of its own. */
  readonly pid?: number;
  /** Its first process stands for the host itself, and is none that the host has. */
  readonly hidesMain?: true;
}

/** The same with the disk, which a machine that is written down knows by its id. */
export interface HostSpec extends HostView {
  readonly tree: FileTree;
}
export interface SavedHost extends HostView {
  readonly tree: string;
}

/** A process of the host that no program of the machine runs. */
export interface HostProcess {
  readonly pid: number;
  readonly parent: number;
  readonly user: number;
  readonly argv: readonly Bytes[];
  readonly startedAt: Millis;
  /** Resident bytes. */
  readonly memory: number;
  /** The id of the container, or of the sandbox, that it is the first process of, without the runtime's name. */
  readonly container?: string;
}
