import type { Millis } from '../../machinery/time/time.js';
import type { Bytes } from '../bytes.js';

/**
 * A text that a program prints, or what it prints at a time. `pipe`: into a pipe, for the main process. `command`:
 * whose text that is. `bytes`: as it was recorded.
 */
export interface Print {
  readonly to: 'stdout' | 'stderr' | 'pipe';
  readonly bytes: Bytes;
  readonly text: Bytes | ((now: Millis) => Bytes);
  readonly command: string;
}

/** What one turn of a process did that another round has to do again. */
export interface Turn {
  /** Charged steps. */
  readonly steps: number;
  /** Of the process that goes round; of a child of it otherwise. */
  readonly isMain: boolean;
  /** Bytes of the main process' state after the turn. */
  readonly held: number;
  /** Nobody else could have had the turn. */
  readonly isAlone: boolean;
  /** The machine had nothing to do before but to wait for a sleeper. */
  readonly isWake: boolean;
  /** How long the process sleeps after the turn, from the turn's beginning. */
  readonly sleep: Millis | undefined;
  readonly prints: readonly Print[];
}

/** `hasTexts`: what the main process prints is known otherwise. */
export function isSameTurn(a: Turn, b: Turn, hasTexts: boolean): boolean {
  return (
    a.steps === b.steps &&
    a.isMain === b.isMain &&
    a.held === b.held &&
    a.isAlone === b.isAlone &&
    a.isWake === b.isWake &&
    a.sleep === b.sleep &&
    a.prints.length === b.prints.length &&
    a.prints.every((print, i) => isSamePrint(print, b.prints[i]!, hasTexts && a.isMain))
  );
}

const isSamePrint = (a: Print, b: Print, isKnown: boolean): boolean =>
  a.to === b.to &&
  a.command === b.command &&
  (isKnown || (typeof a.text === 'function' ? typeof b.text === 'function' : a.text === b.text));
