import type { Millis } from '../../machinery/time/time.js';
import type { Bytes } from '../bytes.js';
import { chargeCpu, STEPS_PER_MS } from '../cgroup/cpu.js';
import type { Container, CpuAccount } from '../container-state.js';
import type { PidNamespace, Process } from '../process/process.js';
import type { TextRound, Texts } from '../process/program.js';
import { MAX_PID } from '../process/table.js';
import { MEASURED_STEPS } from '../process/size.js';
import { writeLog } from '../sessions/log.js';
import type { State } from '../state.js';
import { addTallies, readTexts, writeTexts, type Head, type Tally } from './head.js';
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

/** The machine's time and accounts, which change in a round. */
interface Accounts {
  now: Millis;
  steps: number;
  /** Of the main process. */
  cpu: number;
  held: number;
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
  const accounts: Accounts = { now: state.now, steps: state.steps, cpu: main.cpu, held: main.held };
  const times: Millis[] = [];
  const answers: Bytes[] = [];
  let values: readonly Bytes[] | undefined = course.texts && readTexts(main.state!, course.texts.paths);
  let rounds = 0;
  const before = { ...accounts };
  const cpu = { ...container.cpu };
  for (; rounds < most && state.budget > 0; rounds++) {
    copyAccounts(accounts, before);
    copyCpu(container.cpu, cpu);
    times.length = 0;
    const isOnTime = goOnce(course.turns, container, accounts, times) && accounts.now <= until;
    const next = isOnTime && values ? nextTexts(course, values, times, answers) : undefined;
    if (!isOnTime || (values && !next)) {
      copyCpu(cpu, container.cpu);
      copyAccounts(before, accounts);
      break;
    }
    state.budget -= ROUND_STEPS;
    values = next?.values;
    print(state, container, course.turns, times, next?.prints);
  }
  Object.assign(state, { now: accounts.now, steps: accounts.steps });
  Object.assign(main, { cpu: accounts.cpu, held: accounts.held });
  state.counters.process += rounds * course.processes;
  state.counters.description += rounds * course.descriptions;
  state.counters.pipe += rounds * course.pipes;
  namespace.nextPid += rounds * course.pids;
  addTallies(main.state!, course.tallies, rounds);
  if (values) writeTexts(main.state!, course.texts!.paths, values);
  return rounds;
}

/** Pids that are given out one after the other before one is left out. */
function freePids({ nextPid, pids }: PidNamespace): number {
  let end = MAX_PID + 1;
  for (const pid of pids.keys()) if (pid >= nextPid) end = Math.min(end, pid);
  return end - nextPid;
}

// Field by field: a round should cost less than a microsecond.
function copyAccounts(from: Accounts, to: Accounts): void {
  to.now = from.now;
  to.steps = from.steps;
  to.cpu = from.cpu;
  to.held = from.held;
}

function copyCpu(from: CpuAccount, to: CpuAccount): void {
  to.tokens = from.tokens;
  to.refilledAt = from.refilledAt;
  to.used = from.used;
  to.period = from.period;
  to.usedInPeriod = from.usedInPeriod;
  to.periods = from.periods;
  to.throttledPeriods = from.throttledPeriods;
  to.throttledMs = from.throttledMs;
  to.throttledUntil = from.throttledUntil;
  if (from.exhaustedSince !== undefined || to.exhaustedSince !== undefined) to.exhaustedSince = from.exhaustedSince;
}

/** One round on paper. `times` gets the time of each print. False: it goes another way. */
function goOnce(turns: readonly Turn[], container: Container, accounts: Accounts, times: Millis[]): boolean {
  const { cpu } = container;
  let { now, steps } = accounts;
  let wake: Millis | undefined;
  for (const turn of turns) {
    if (turn.isWake) {
      now = Math.max(now, wake!);
      wake = undefined;
    } else if (wake !== undefined && wake <= now) return false;
    if (cpu.throttledUntil > now) {
      if (!turn.isAlone || wake !== undefined) return false;
      now = cpu.throttledUntil;
    }
    if (turn.sleep !== undefined) wake = now + turn.sleep;
    for (let i = turn.prints.length; i > 0; i--) times.push(now);
    steps += turn.steps;
    if (steps >= STEPS_PER_MS) {
      now += Math.floor(steps / STEPS_PER_MS);
      steps %= STEPS_PER_MS;
    }
    chargeCpu(container, turn.steps, now);
    if (!turn.isMain) continue;
    const before = accounts.cpu;
    accounts.cpu += turn.steps;
    if (Math.floor(before / MEASURED_STEPS) !== Math.floor(accounts.cpu / MEASURED_STEPS)) accounts.held = turn.held;
  }
  accounts.now = now;
  accounts.steps = steps;
  return true;
}

/** The texts of one round; undefined: it does not do the same work as the one that is known. */
function nextTexts(
  { texts, turns, lengths }: Course,
  values: readonly Bytes[],
  times: readonly Millis[],
  answers: Bytes[],
): TextRound | undefined {
  answers.length = 0;
  let at = 0;
  for (const { prints } of turns) {
    for (const { to, text, bytes } of prints) {
      const now = times[at++]!;
      if (to !== 'pipe') continue;
      const answer = typeof text === 'function' ? text(now) : text;
      if (answer.length !== bytes.length) return undefined;
      answers.push(answer);
    }
  }
  const next = texts!.next(values, answers);
  return next && isSameLengths(next.lengths, lengths) ? next : undefined;
}

export const isSameLengths = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((length, i) => length === b[i]);

/** `own`: what the main process prints. */
function print(
  state: State,
  container: Container,
  turns: readonly Turn[],
  times: readonly Millis[],
  own: readonly Bytes[] | undefined,
): void {
  let at = 0;
  let printed = 0;
  for (const { prints, isMain } of turns) {
    for (const { to, text } of prints) {
      state.now = times[at++]!;
      if (to === 'pipe') continue;
      if (own && isMain) writeLog(state, container, to, own[printed++]!);
      else writeLog(state, container, to, typeof text === 'function' ? text(state.now) : text);
    }
  }
}
