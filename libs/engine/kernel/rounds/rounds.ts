import type { Millis } from '../../machinery/time/time.js';
import type { Bytes } from '../bytes.js';
import type { Process } from '../process/process.js';
import type { Texts, Wait } from '../process/program.js';
import type { Syscalls } from '../process/syscalls.js';
import type { RoundFinder, State } from '../state.js';
import { goRound, type Course } from './course.js';
import { compareHeads, headOf, isSameTallies, readTexts, type Head, type Tally } from './head.js';
import { Recording } from './recording.js';
import { TracedCalls } from './traced-calls.js';
import { isSameTurn } from './turn.js';

/** Heads that are passed before rounds are looked for. */
const FIRST_REST = 1;
/** Heads after which a round has come to its beginning, or is given up: a busy loop is cut into turns anywhere. */
const MAX_HEADS = 128;
/** After a failure twice as many heads are passed as after the one before. */
const MAX_REST = 4_096;
/** It is not worth to compare for less. */
const LEAST_ROUNDS = 4;

/** One round that was seen. */
interface Seen {
  readonly start: Head;
  readonly recording: Recording;
  readonly heads: number;
  readonly tallies: readonly Tally[];
  readonly end: Head;
}

/** A search for a round: from `head` on it is recorded what happens. */
interface Search {
  readonly main: number;
  head: Head;
  startedAt: Millis;
  recording: Recording;
  heads: number;
  readonly texts: Texts | undefined;
  /** The round before, which was recorded from the same head. */
  first?: Seen;
}

/**
 * Finds out that a machine goes round: one process is again where it was, its children have ended, and nothing else has
 * changed but the time, the numbers of processes and the log. Since programs are pure, all further rounds are alike
 * until something acts on the machine; they are then written into the log without being run. What was found out is kept
 * to save work only: a machine that is written down and taken up again finds it out anew, and its course is the same.
 */
export class Rounds implements RoundFinder {
  private rest = FIRST_REST;
  private failures = 0;
  /** Heads since a known round's beginning was looked for. */
  private misses = 0;
  private search: Search | undefined;
  private known: { readonly main: number; readonly course: Course; readonly until: Millis } | undefined;

  /** What is being recorded. */
  private get recording(): Recording | undefined {
    return this.search?.recording;
  }

  /** Something acts on the machine from outside. */
  forget(): void {
    this.search = undefined;
    this.known = undefined;
    this.rest = FIRST_REST;
  }

  /** A process has had its turn, goes on at once, and nobody else could. */
  atHead(state: State, main: Process, until: Millis): void {
    if (this.known?.main === main.id) return this.goOn(state, main, this.known.course, until);
    if (this.search !== undefined) this.look(state, main, this.search);
    else if (--this.rest < 0) this.begin(state, main);
  }

  private goOn(state: State, main: Process, course: Course, until: Millis): void {
    const end = Math.min(until, (nextTimer(state) ?? Infinity) - 1);
    if (--this.rest >= 0 || end - state.now < LEAST_ROUNDS * course.length) return;
    const head = headOf(state, main);
    const isSame = head !== undefined && compare(state, main, course.head, head, course.texts) !== undefined;
    if (!isSame) return ++this.misses < course.heads ? undefined : this.beginAnew(state, main, course);
    this.misses = 0;
    const rounds = goRound(state, main, course, end);
    // Where it stopped the ordinary way is gone for a while.
    if (rounds < LEAST_ROUNDS && course.texts) this.beginAnew(state, main, course);
    else this.rest = rounds >= LEAST_ROUNDS ? 0 : Math.min(MAX_REST, 2 ** ++this.failures);
  }

  private begin(state: State, main: Process): void {
    const head = headOf(state, main);
    if (head === undefined) return this.giveUp();
    const texts = state.programs.find(main.program)?.textsOf?.(main.state!);
    const recording = new Recording(state, main, texts !== undefined);
    this.search = { main: main.id, head, startedAt: state.now, recording, heads: 0, texts };
  }

  private look(state: State, main: Process, search: Search): void {
    if (main.id !== search.main) return search.recording.spoil();
    search.heads++;
    if (search.recording.isSpoiled || search.heads > MAX_HEADS) return this.giveUp();
    if (search.first !== undefined && search.heads < search.first.heads) return;
    const head = headOf(state, main);
    if (head === undefined) return this.giveUp();
    const tallies = compare(state, main, search.head, head, search.texts);
    if (tallies === undefined) return search.first === undefined ? undefined : this.giveUp();
    this.seeRound(state, main, search, {
      ...{ start: search.head, end: head, tallies },
      ...{ recording: search.recording, heads: search.heads },
    });
  }

  private seeRound(state: State, main: Process, search: Search, seen: Seen): void {
    const { first, startedAt, texts } = search;
    if (first === undefined) {
      const recording = new Recording(state, main, texts !== undefined);
      const next = { head: seen.end, startedAt: state.now, recording, heads: 0, texts };
      this.search = { main: main.id, ...next, first: seen };
      return;
    }
    const course = courseOf(first, seen, texts, state.now - startedAt);
    if (course === undefined) return this.giveUp();
    this.search = undefined;
    this.failures = 0;
    this.rest = 0;
    this.known = { main: main.id, course, until: nextTimer(state) ?? Infinity };
  }

  private giveUp(): void {
    this.search = undefined;
    this.known = undefined;
    this.misses = 0;
    this.rest = Math.min(MAX_REST, 8 * 2 ** this.failures++);
  }

  /** A counter that has a digit more makes other rounds, each like the next one again. */
  private beginAnew(state: State, main: Process, { texts }: Course): void {
    this.giveUp();
    if (texts && this.failures === 1) this.begin(state, main);
  }

  /**
   * Until when a machine goes round as it does, whatever the time; undefined: that is not known. `isSure`: it does the
   * same for ever then; otherwise its texts may bring it to an end.
   */
  goesUntil(): { readonly until: Millis; readonly isSure: boolean } | undefined {
    return this.known && { until: this.known.until, isSure: this.known.course.texts === undefined };
  }

  beginTurn(state: State, process: Process): void {
    this.recording?.beginTurn(state, process);
  }

  endTurn(state: State, process: Process, wait: Wait | undefined): void {
    this.recording?.endTurn(state, process, wait);
  }

  noteTimer(state: State, process: Process): void {
    this.recording?.noteTimer(state, process);
  }

  callsOf(state: State, process: Process): Syscalls | undefined {
    return this.recording && new TracedCalls(state, process, this.recording);
  }
}

/** Two rounds that did the same, one after the other. */
function courseOf(first: Seen, second: Seen, texts: Texts | undefined, length: Millis): Course | undefined {
  const [a, b] = [first.recording.turns, second.recording.turns];
  if (a.length !== b.length || !a.every((turn, i) => isSameTurn(turn, b[i]!, texts !== undefined))) return undefined;
  if (!isSameTallies(first.tallies, second.tallies)) return undefined;
  const lengths = texts === undefined ? [] : lengthsOf(texts, first, second);
  if (lengths === undefined) return undefined;
  const { end, start: between } = second;
  return {
    ...{ head: end, turns: b, tallies: second.tallies, heads: second.heads, length, texts, lengths },
    processes: end.counters.process - between.counters.process,
    descriptions: end.counters.description - between.counters.description,
    pipes: end.counters.pipe - between.counters.pipe,
    pids: end.nextPid - between.nextPid,
  };
}

/** The lengths of texts in two rounds; undefined: the program does not know them, or the rounds differ in them. */
function lengthsOf(texts: Texts, ...rounds: readonly Seen[]): readonly number[] | undefined {
  let lengths: readonly number[] | undefined;
  for (const { start, end, recording } of rounds) {
    const course = texts.start(readTexts(start.program, texts.paths), lengths);
    if (!course.next(recording.answers())) return undefined;
    lengths = course.lengths;
    const { values, prints } = course;
    const isKnown =
      isSameTexts(values, readTexts(end.program, texts.paths)) && isSameTexts(prints, recording.ownPrints());
    if (!isKnown) return undefined;
  }
  return lengths;
}

const isSameTexts = (a: readonly Bytes[], b: readonly Bytes[]): boolean =>
  a.length === b.length && a.every((text, i) => text === b[i]);

const compare = (state: State, main: Process, before: Head, after: Head, texts?: Texts): readonly Tally[] | undefined =>
  compareHeads(before, after, state.programs.find(main.program)?.isTally, texts?.paths);

/** The next time at which another process may go on. */
const nextTimer = (state: State): Millis | undefined => state.timers.first()?.at;
