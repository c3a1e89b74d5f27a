import type { Millis } from '../../machinery/time/time.js';
import type { Bytes } from '../bytes.js';
import type { Container } from '../container-state.js';
import type { PidNamespace, Process } from '../process/process.js';
import type { TextCourse, Texts } from '../process/program.js';
import { MAX_PID } from '../process/table.js';
import { addOutput } from '../sessions/log.js';
import type { State } from '../state.js';
import { addTallies, readTexts, writeTexts, type Head, type Tally } from './head.js';
import { Ledger } from './ledger.js';
import type { Print, Turn } from './turn.js';

/** What a round that is only written down takes of a call's steps: about as much time as so many of a program's. */
const ROUND_STEPS = 3;

/** A round that is known to be followed by its like for as long as nothing acts on the machine. */
export interface Course {
  readonly head: Head;
  readonly turns: readonly Turn[];
  readonly tallies: readonly Tally[];
  /** Of the counters, and pids of the container's namespace. */
  readonly processes: number;
  readonly descriptions: number;
  readonly pipes: number;
  readonly pids: number;
  /** How the texts of the main process go on, and the lengths that they have in a round of this course. */
  readonly texts: Texts | undefined;
  readonly lengths: readonly number[];
  /** Heads from its beginning to its end. */
  readonly heads: number;
  /** About how long it takes. */
  readonly length: Millis;
}

/**
 * Goes round as often as it may before a time, without running a program: each turn is charged at its time as it would
 * be, so that the machine is the same afterwards, bit by bit. Where a round takes another course (the container is
 * throttled with several processes ready, pids begin anew) it ends before that round. Returns the number of rounds.
 */
export function goRound(state: State, main: Process, course: Course, until: Millis): number {
  const container = state.containers.get(main.container);
  const namespace = state.namespaces.get(main.namespace);
  if (container === undefined || namespace === undefined) return 0;
  const most = course.pids === 0 ? Infinity : Math.floor(freePids(namespace) / course.pids);
  const ledger = Ledger.of(state, main, container);
  const before = Ledger.of(state, main, container);
  const prints = course.turns.flatMap((turn) => turn.prints.map((one): OwnedPrint => ({ ...one, isOwn: turn.isMain })));
  const times = prints.map(() => 0);
  const answers = prints.filter(({ to }) => to === 'pipe').map(({ bytes }) => bytes);
  const texts = course.texts?.start(readTexts(main.state!, course.texts.paths), course.lengths);
  let rounds = 0;
  for (; rounds < most && state.budget > 0; rounds++) {
    before.copy(ledger);
    const isOnTime = ledger.goOnce(course.turns, times) && ledger.now <= until;
    if (!isOnTime || (texts && !goOnTexts(texts, prints, times, answers))) {
      ledger.copy(before);
      break;
    }
    state.budget -= ROUND_STEPS;
    print(state, container, prints, times, texts?.prints);
  }
  ledger.settle(state, main, container);
  state.counters.process += rounds * course.processes;
  state.counters.description += rounds * course.descriptions;
  state.counters.pipe += rounds * course.pipes;
  namespace.nextPid += rounds * course.pids;
  addTallies(main.state!, course.tallies, rounds);
  if (texts) writeTexts(main.state!, course.texts!.paths, texts.values);
  return rounds;
}

/** Pids that are given out one after the other before one is left out. */
function freePids({ nextPid, pids }: PidNamespace): number {
  let end = MAX_PID + 1;
  for (const pid of pids.keys()) if (pid >= nextPid) end = Math.min(end, pid);
  return end - nextPid;
}

/** `isOwn`: of the main process. */
interface OwnedPrint extends Print {
  readonly isOwn: boolean;
}

/** The texts of one round; false: it does not do the same work as the one that is known. */
function goOnTexts(
  texts: TextCourse,
  prints: readonly OwnedPrint[],
  times: readonly Millis[],
  answers: Bytes[],
): boolean {
  let answered = 0;
  for (let i = 0; i < prints.length; i++) {
    const { to, text, bytes } = prints[i]!;
    if (to !== 'pipe') continue;
    const answer = typeof text === 'function' ? text(times[i]!) : text;
    if (answer.length !== bytes.length) return false;
    answers[answered++] = answer;
  }
  return texts.next(answers);
}

/** `own`: what the main process prints. Nobody is attached: heads are not known then. */
function print(
  state: State,
  { log }: Container,
  prints: readonly OwnedPrint[],
  times: readonly Millis[],
  own: readonly Bytes[] | undefined,
): void {
  let printed = 0;
  for (let i = 0; i < prints.length; i++) {
    const { to, text, isOwn } = prints[i]!;
    state.now = times[i]!;
    if (to === 'pipe') continue;
    if (own && isOwn) addOutput(state, log, to, own[printed++]!);
    else addOutput(state, log, to, typeof text === 'function' ? text(state.now) : text);
  }
}
