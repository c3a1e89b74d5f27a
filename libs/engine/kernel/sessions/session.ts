import type { Bytes } from '../bytes.js';
import type { Signal } from '../signals.js';

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** The output of a session that was not acknowledged yet. On a terminal all of it is stdout. */
export interface SessionOutput {
  readonly stdout: Bytes;
  readonly stderr: Bytes;
  /** Offsets of the first bytes of stdout and stderr in all that the session has printed. */
  readonly stdoutFrom: number;
  readonly stderrFrom: number;
  /** Bytes of input that no process has read: a client that sends more than a pipe or a socket holds loses them. */
  readonly unread: number;
  /** Nothing more will come: the process has ended and its output is closed, or the peer has closed. */
  readonly ended: boolean;
  /** Of an exec session's process; of the main process in an attached session. */
  readonly exit?: { readonly code: number; readonly signal?: Signal };
}

/** What a session has printed and the client has not acknowledged. */
export interface SessionStream {
  from: number;
  data: Bytes;
  /** Open descriptions that write to it. */
  writers: number;
  /** How many bytes may wait for the client's acknowledgement; undefined: as few as at the beginning. */
  window?: number;
}

/** A client's way into a container, as data. */
export interface Session {
  readonly id: string;
  readonly type: 'exec' | 'attach' | 'stream';
  /** '' for a stream to a port. */
  readonly container: string;
  /** The open writing end of a pipe that the client has, a description. */
  stdin?: number;
  terminal?: number;
  socket?: number;
  readonly stdout: SessionStream;
  readonly stderr: SessionStream;
  exit?: { readonly code: number; readonly signal?: Signal };
  isHungUp: boolean;
  /** Lines that were typed on its terminal and read; nobody has taken them yet. */
  typed?: Bytes[];
}
