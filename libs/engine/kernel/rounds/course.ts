import type { Millis } from '../../machinery/time/time.js';
import type { Bytes } from '../bytes.js';
import type { PidNamespace, Process } from '../process/process.js';
import type { TextCourse, Texts } from '../process/program.js';
import { MAX_PID } from '../process/table.js';
import { LogWriter } from '../sessions/log-writer.js';
import type { State } from '../state.js';
import { addTallies, readTexts, writeTexts, type Head, type Tally } from './head.js';
import { Ledger } from './ledger.js';
import { RoundPlan } from './plan.js';
import type { Turn } from './turn.js';

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
  const plan = new RoundPlan(course.turns);
  const ledger = Ledger.of(state, main, container);
  const before = Ledger.of(state, main, container);
  const times = new Float64Array(plan.texts.length);
  const answers = plan.recorded.filter((_, i) => plan.to[i] === 'pipe');
  const texts = course.texts?.start(readTexts(main.state!, course.texts.paths), course.lengths);
  // Nobody is attached: heads are not known then.
  const writer = new LogWriter(state, container.log);
  let rounds = 0;
  for (; rounds < most && state.budget > 0; rounds++) {
    before.copy(ledger);
    const isOnTime = ledger.goOnce(plan, times) && ledger.now <= until;
    if (!isOnTime || (texts && !goOnTexts(texts, plan, times, answers))) {
      ledger.copy(before);
      break;
    }
    state.budget -= ROUND_STEPS;
    print(writer, plan, times, texts?.prints);
  }
  writer.settle();
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

/** The texts of one round; false: it does not do the same work as the one that is known. */
function goOnTexts(texts: TextCourse, plan: RoundPlan, times: Float64Array, answers: Bytes[]): boolean {
  let answered = 0;
  for (let i = 0; i < times.length; i++) {
    if (plan.to[i] !== 'pipe') continue;
    const text = plan.texts[i]!;
    const answer = typeof text === 'function' ? text(times[i]!) : text;
    if (answer.length !== plan.recorded[i]!.length) return false;
    answers[answered++] = answer;
  }
  return texts.next(answers);
}

/** `own`: what the main process prints, when that is known otherwise. */
function print(writer: LogWriter, plan: RoundPlan, times: Float64Array, own: readonly Bytes[] | undefined): void {
  let printed = 0;
  for (let i = 0; i < times.length; i++) {
    const to = plan.to[i]!;
    if (to === 'pipe') continue;
    const text = own && plan.isOwn[i]! ? own[printed++]! : plan.texts[i]!;
    writer.add(to, typeof text === 'function' ? text(times[i]!) : text, times[i]!);
  }
}
