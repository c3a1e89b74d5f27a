import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Plain } from '../../../../engine/kernel/process/program.js';

/** A part of a command that is done in one go: its requests are asked again for each of its runs. */
export type Task = {
  /** The command's own name is 'main'. */
  readonly name: string;
  readonly data: Plain;
  /** ms before it begins. */
  readonly delay: number;
};

/** A session that a command asks the API server for. */
export type StreamRequest = {
  /** The path of exec or attach, with its query. */
  readonly path: string;
  readonly stdin: boolean;
  readonly tty: boolean;
  /** The exit code of the session's program is kubectl's own. */
  readonly tellsExit: boolean;
  /** Bytes that the program gets instead of standard input. */
  readonly input?: string;
  /** By default its output is shown; `collected`: `after` gets it, and only standard error is shown. */
  readonly output?: 'shown' | 'collected' | 'dropped';
  /** What follows; its data is a map, which gets `code` and `output`. */
  readonly after?: Task;
};

/** A program that kubectl starts and waits for. */
export type ChildRequest = {
  readonly argv: string[];
  /** What kubectl says when there is no such program. */
  readonly missing: string;
  /** What it says when the program has failed; undefined: `after` is told the code, as `code`. */
  readonly failed?: string;
  /**
   * What it prints is kept, not shown: `after` is told it, as `output` and `errors`. After so many ms it is killed with
   * all that it has started.
   */
  readonly keepsOutput?: number;
  readonly after: Task;
};

/** Ports of the machine that kubectl listens on. */
export type ListenRequest = {
  /** Each leads to a port of a pod, or to the API server. */
  readonly ports: { address: string; local: number; remote: number }[];
  /** Of pods/portforward; '': kubectl is a proxy of the API server. */
  readonly path: string;
  /** The pod's own address. */
  readonly ip: string;
  /** Of a proxy: what stands before each path of the API server's, and files. */
  readonly prefix: string;
};

/** An answer of the server. `warnings`: what its Warning headers say; absent: nothing. */
export type Answer = {
  readonly status: number;
  readonly body: string;
  readonly warnings?: string[];
  /** Why there is none, in the words of Go's net package; its status is 0. */
  readonly failure?: string;
  /** Of a file of the web: its bytes, and where it is instead. */
  readonly bytes?: Bytes;
  readonly location?: string;
};

/** A task with more data. */
export const withData = ({ data, ...task }: Task, more: { readonly [field: string]: Plain }): Task => ({
  ...task,
  data: { ...(data as { [field: string]: Plain }), ...more },
});

export const task = (name: string, data: Plain, delay = 0): Task => ({ name, data, delay });
