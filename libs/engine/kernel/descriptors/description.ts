import type { Bytes } from '../bytes.js';

interface Opened {
  readonly id: number;
  /** Descriptors and others that hold it; 0: it is closed. */
  references: number;
  readonly read: boolean;
  readonly write: boolean;
}

/** A file or a directory of a tree. */
export interface OpenFile extends Opened {
  readonly type: 'file' | 'directory';
  readonly tree: string;
  readonly key: string;
  readonly path: Bytes;
  readonly append: boolean;
  offset: number;
}

/** A file of a computed tree: its content as it was when it was opened. */
export interface OpenComputed extends Opened {
  readonly type: 'computed';
  readonly tree: string;
  readonly key: string;
  readonly path: Bytes;
  readonly content: Bytes;
  offset: number;
}

export interface OpenPipe extends Opened {
  readonly type: 'pipe';
  readonly pipe: number;
}

export interface OpenTerminal extends Opened {
  readonly type: 'terminal';
  readonly terminal: number;
}

export interface OpenDevice extends Opened {
  readonly type: 'device';
  readonly device: 'null' | 'zero' | 'full' | 'random';
  /** Bytes of random that were read. */
  offset: number;
}

/** The container's log: its main process' stdout and stderr. */
export interface OpenLog extends Opened {
  readonly type: 'log';
  readonly container: string;
  readonly stream: 'stdout' | 'stderr';
}

/** The output of a session. */
export interface OpenSession extends Opened {
  readonly type: 'session';
  readonly session: string;
  readonly stream: 'stdout' | 'stderr';
}

export interface OpenSocket extends Opened {
  readonly type: 'socket';
  readonly socket: number;
}

/** An open file description, as data: forks share it, and with it its offset. */
export type Description =
  | OpenFile
  | OpenComputed
  | OpenPipe
  | OpenTerminal
  | OpenDevice
  | OpenLog
  | OpenSession
  | OpenSocket;

type WithoutCounts<T> = T extends unknown ? Omit<T, 'id' | 'references'> : never;

export type NewDescription = WithoutCounts<Description>;

/** A pipe, as data. Its ends are counted in open descriptions. */
export interface Pipe {
  readonly id: number;
  readonly capacity: number;
  data: Bytes;
  readers: number;
  writers: number;
  /** The FIFO of a tree that it stands behind: it has no end of file before a writer came. */
  readonly fifo?: string;
  hadReader: boolean;
  hadWriter: boolean;
}
