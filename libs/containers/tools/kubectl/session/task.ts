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
};

/** An answer of the server. */
export type Answer = { readonly status: number; readonly body: string };

export const task = (name: string, data: Plain, delay = 0): Task => ({ name, data, delay });
