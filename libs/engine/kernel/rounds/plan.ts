import type { Bytes } from '../bytes.js';
import type { Millis } from '../../machinery/time/time.js';
import type { Print, Turn } from './turn.js';

const IS_MAIN = 1;
const IS_ALONE = 2;
const IS_WAKE = 4;
const SLEEPS = 8;

/**
 * The turns of a round as numbers in rows, for rounds that are gone through a hundred thousand times: what is read of
 * an object depends on how each of them was made, and the compiler gives up on those it has not met.
 */
export class RoundPlan {
  readonly turns: number;
  readonly steps: Float64Array;
  readonly sleeps: Float64Array;
  /** Of the main process, where it has the turn. */
  readonly held: Float64Array;
  /** How many prints a turn has. */
  readonly prints: Uint32Array;
  /** Of each print, in order. */
  readonly to: readonly Print['to'][];
  readonly texts: readonly (Bytes | ((now: Millis) => Bytes))[];
  readonly recorded: readonly Bytes[];
  /** The main process prints it. */
  readonly isOwn: readonly boolean[];
  private readonly flags: Uint8Array;

  constructor(turns: readonly Turn[]) {
    this.turns = turns.length;
    this.steps = Float64Array.from(turns, ({ steps }) => steps);
    this.sleeps = Float64Array.from(turns, ({ sleep }) => sleep ?? 0);
    this.held = Float64Array.from(turns, ({ held }) => held);
    this.prints = Uint32Array.from(turns, ({ prints }) => prints.length);
    this.flags = Uint8Array.from(turns, flagsOf);
    const prints = turns.flatMap((turn) => turn.prints);
    this.to = prints.map(({ to }) => to);
    this.texts = prints.map(({ text }) => text);
    this.recorded = prints.map(({ bytes }) => bytes);
    this.isOwn = turns.flatMap((turn) => turn.prints.map(() => turn.isMain));
  }

  isMain(turn: number): boolean {
    return (this.flags[turn]! & IS_MAIN) !== 0;
  }

  isAlone(turn: number): boolean {
    return (this.flags[turn]! & IS_ALONE) !== 0;
  }

  isWake(turn: number): boolean {
    return (this.flags[turn]! & IS_WAKE) !== 0;
  }

  sleepsAfter(turn: number): boolean {
    return (this.flags[turn]! & SLEEPS) !== 0;
  }
}

const flagsOf = ({ isMain, isAlone, isWake, sleep }: Turn): number =>
  (isMain ? IS_MAIN : 0) | (isAlone ? IS_ALONE : 0) | (isWake ? IS_WAKE : 0) | (sleep === undefined ? 0 : SLEEPS);
