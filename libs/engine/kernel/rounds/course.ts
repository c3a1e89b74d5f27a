import type { Millis } from '../../machinery/time/time.js';
import { chargeCpu, STEPS_PER_MS } from '../cgroup/cpu.js';
import type { Container, CpuAccount } from '../container-state.js';
import type { PidNamespace, Process } from '../process/process.js';
import { MAX_PID } from '../process/table.js';
import { writeLog } from '../sessions/log.js';
import type { State } from '../state.js';
import { MEASURED_STEPS } from '../scheduler/run.js';
import { addTallies, type Head, type Tally } from './head.js';
import type { Turn } from './turn.js';

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
  let rounds = 0;
  for (; rounds < most && state.budget > 0; rounds++) {
    const [before, cpu] = [{ ...accounts }, { ...container.cpu }];
    times.length = 0;
    if (!goOnce(course.turns, container, accounts, times) || accounts.now > until) {
      Object.assign(container.cpu, cpu);
      forgetAdded(container.cpu, cpu);
      Object.assign(accounts, before);
      break;
    }
    state.budget--;
    print(state, container, course.turns, times);
  }
  Object.assign(state, { now: accounts.now, steps: accounts.steps });
  Object.assign(main, { cpu: accounts.cpu, held: accounts.held });
  state.counters.process += rounds * course.processes;
  state.counters.description += rounds * course.descriptions;
  state.counters.pipe += rounds * course.pipes;
  namespace.nextPid += rounds * course.pids;
  addTallies(main.state!, course.tallies, rounds);
  return rounds;
}

/** Pids that are given out one after the other before one is left out. */
function freePids({ nextPid, pids }: PidNamespace): number {
  let end = MAX_PID + 1;
  for (const pid of pids.keys()) if (pid >= nextPid) end = Math.min(end, pid);
  return end - nextPid;
}

function forgetAdded(cpu: CpuAccount, before: CpuAccount): void {
  if (!('exhaustedSince' in before)) delete cpu.exhaustedSince;
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

function print(state: State, container: Container, turns: readonly Turn[], times: readonly Millis[]): void {
  let at = 0;
  for (const { prints } of turns) {
    for (const { stream, text } of prints) {
      state.now = times[at++]!;
      writeLog(state, container, stream, typeof text === 'function' ? text(state.now) : text);
    }
  }
}
