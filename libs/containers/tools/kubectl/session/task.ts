import type { Plain } from '../../../../engine/kernel/process/program.js';

/** A part of a command that is done in one go: its requests are asked again for each of its runs. */
export type Task = {
  /** The command's own name is 'main'. */
  readonly name: string;
  readonly data: Plain;
  /** ms before it begins. */
  readonly delay: number;
};

/** An answer of the server. */
export type Answer = { readonly status: number; readonly body: string };

export const task = (name: string, data: Plain, delay = 0): Task => ({ name, data, delay });
