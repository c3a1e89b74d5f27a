import type { Json } from '../values/values.js';

/** What a program reads and says besides its input. */
export interface Outside {
  readonly env: Readonly<Record<string, string>>;
  readonly now: number;
  readonly filename: Json;
  /** Ends of lines that were read. */
  readonly line: () => number;
  /** The next input; undefined: there is none. */
  input(): Json | undefined;
  say(text: string): void;
}

/** Ends what label or `stoppable` has begun. */
export class Break extends Error {
  constructor(readonly token: object) {
    super('break');
  }
}
