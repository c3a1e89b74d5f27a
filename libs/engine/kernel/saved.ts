import type { Millis } from '../machinery/time/time.js';
import type { Track } from './conntrack/track.js';
import type { Container } from './container-state.js';
import type { Description, Pipe } from './descriptors/description.js';
import type { FileNode } from './files/file.js';
import type { FileRow } from './files/tree.js';
import type { Process } from './process/process.js';
import type { Session } from './sessions/session.js';
import type { LoggedQuestion } from './sockets/logged-question.js';
import type { Socket } from './sockets/socket.js';
import type { Counters } from './state.js';
import type { Terminal } from './terminals/terminal.js';

/**
 * A machine written down: JSON. Trees that the machine was given are not in it: they are stored by their rows
 * (FileTree.takeChanges), and found again by their ids.
 */
export interface SavedMachine {
  /** Raised when the parts change. */
  readonly version: 1;
  readonly now: Millis;
  readonly steps: number;
  readonly counters: Counters;
  readonly processes: readonly Process[];
  /** The next pid of each namespace. */
  readonly namespaces: Readonly<Record<string, number>>;
  readonly containers: readonly Container[];
  readonly descriptions: readonly Description[];
  readonly pipes: readonly Pipe[];
  readonly terminals: readonly Terminal[];
  readonly sockets: readonly Socket[];
  readonly sessions: readonly Session[];
  readonly parameters: Readonly<Record<string, string>>;
  readonly visits?: Readonly<Record<string, Millis>>;
  /** By their ids. */
  readonly tracks?: Readonly<Record<string, Track>>;
  readonly questions?: readonly LoggedQuestion[];
  readonly ready: readonly number[];
  /** The kernel's own trees: /dev, /dev/shm, /etc/hosts. */
  readonly trees: Readonly<Record<string, readonly FileRow[]>>;
  /** Inodes of open files without a name. */
  readonly orphans: readonly { readonly tree: string; readonly key: string; readonly node: FileNode }[];
}
