import type { Bytes } from '../bytes.js';

/** A terminal (the slave's side of a pseudo-terminal), as data. */
export interface Terminal {
  readonly id: number;
  /** /dev/pts/NUMBER in its container. */
  readonly number: number;
  columns: number;
  rows: number;
  mode: 'raw' | 'cooked' | 'no-echo';
  /** The line that is being typed. */
  line: Bytes;
  /** What programs can read; each entry a line, '' for ^D on an empty line. In raw mode whatever has come. */
  input: Bytes[];
  /** The foreground process group and the session, in the namespace of the session's leader. */
  foreground: number;
  session: number;
  namespace: string;
  /** Where its output goes: the exec session, or the container's log and its attached sessions. */
  readonly container: string;
  readonly sessionId?: string;
  /** The client is gone: reads give the end of the file, writes fail with EIO. */
  isHungUp: boolean;
  /** A program has read the beginning of the first line of `input`. */
  isPartlyRead?: boolean;
  /** Something of `input` was typed with the echo off. */
  isSecret?: boolean;
  /** Lines that were typed and read, of a terminal that is no client's own; nobody has taken them yet. */
  typed?: Bytes[];
}
