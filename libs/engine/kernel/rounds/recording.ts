import type { Millis } from '../../machinery/time/time.js';
import type { Bytes } from '../bytes.js';
import type { ClockUse, Wait } from '../process/program.js';
import type { Process } from '../process/process.js';
import { sizeOfPlain } from '../process/size.js';
import type { State } from '../state.js';
import type { Print, Turn } from './turn.js';

/** Turns of one round; what has more is no round worth the memory. */
const MAX_TURNS = 2_000;

/**
 * What happens in a machine while one process goes round once. It is spoiled by all that another round might see or do
 * in another way: then nothing is known.
 */
export class Recording {
  readonly turns: Turn[] = [];
  isSpoiled = false;
  /** Processes that have asked for the time, and what for. */
  private readonly clocks = new Map<number, ClockUse>();
  private readonly answerers = new Set<number>();
  private prints: Print[] = [];
  private isAlone = false;
  private isWake = false;
  private startedAt: Millis = 0;
  private sleeper: number | undefined;
  private readonly firstChild: number;

  constructor(
    state: State,
    readonly main: Process,
    /** The program says how its texts go on, also those that others give it. */
    private readonly hasTexts: boolean,
  ) {
    this.firstChild = state.counters.process;
  }

  spoil(): void {
    this.isSpoiled = true;
  }

  /** The time of a sleeper has come. */
  noteTimer(state: State, process: Process): void {
    if (process.id !== this.sleeper || state.ready.length > 0) return this.spoil();
    this.sleeper = undefined;
    this.isWake = true;
  }

  beginTurn(state: State, process: Process): void {
    if (process !== this.main && (process.id < this.firstChild || process.container !== this.main.container)) {
      return this.spoil();
    }
    this.prints = [];
    this.isAlone = state.ready.length === 0;
    this.startedAt = state.now;
  }

  /** `wait` undefined: the turn has ended the process by force. */
  endTurn(state: State, process: Process, wait: Wait | undefined): void {
    if (wait === undefined || this.turns.length >= MAX_TURNS || process.pending.length > 0) return this.spoil();
    const isMain = process === this.main;
    const held = isMain ? sizeOfPlain(process.state) : 0;
    if (isMain && (wait.type === 'exit' || wait.type === 'exec' || held > process.memory)) return this.spoil();
    this.turns.push({
      ...{ steps: state.charged, isMain, held, isAlone: this.isAlone, isWake: this.isWake },
      sleep: wait.type === 'wait' && wait.until !== undefined ? this.noteSleep(process, wait.until, wait) : undefined,
      prints: this.prints,
    });
    this.isWake = false;
  }

  private noteSleep(process: Process, until: Millis, { readable, writable, child }: Wait & { type: 'wait' }): Millis {
    const waitsForTime = this.clocks.get(process.id) === 'waits' && !readable && !writable && !child;
    if (!waitsForTime || this.sleeper !== undefined) this.spoil();
    this.sleeper = process.id;
    return until - this.startedAt;
  }

  noteClock(process: Process, use: ClockUse | undefined): void {
    if (use === undefined) return this.spoil();
    this.clocks.set(process.id, use);
  }

  /** What a process knows of the time may not go on to others. */
  requireTimeless(process: Process): void {
    if (typeof this.clocks.get(process.id) === 'function') this.spoil();
  }

  /** A process writes into a pipe: the main one may know what to make of it. */
  noteAnswer(process: Process, bytes: Bytes, now: Millis): void {
    if (!this.hasTexts) return this.requireTimeless(process);
    if (process === this.main || this.answerers.has(process.id)) this.spoil();
    this.answerers.add(process.id);
    this.notePrint(process, 'pipe', bytes, now);
  }

  notePrint(process: Process, to: Print['to'], bytes: Bytes, now: Millis): void {
    const use = this.clocks.get(process.id);
    const command = process.argv.join('\0');
    if (typeof use !== 'function') this.prints.push({ to, bytes, text: bytes, command });
    else if (use(now) === bytes) this.prints.push({ to, bytes, text: use, command });
    else this.spoil();
  }

  /** What the main process has printed, in order. */
  ownPrints(): Bytes[] {
    return this.turns.flatMap(({ isMain, prints }) => (isMain ? prints.map(({ bytes }) => bytes) : []));
  }

  /** What others have written into pipes, in order. */
  answers(): Bytes[] {
    return this.turns.flatMap(({ prints }) => prints.flatMap(({ to, bytes }) => (to === 'pipe' ? [bytes] : [])));
  }
}
