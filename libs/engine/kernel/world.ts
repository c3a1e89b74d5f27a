import type { Millis } from '../machinery/time/time.js';
import { nextWake } from './scheduler/next.js';
import { runUntil } from './scheduler/run.js';
import type { State } from './state.js';

/**
 * The machines of one cluster that may be connected to each other. Those that are connected run together: the one with
 * the least next time first, one instant at a time, so that a byte never arrives in the past. Others are left alone.
 */
export class World {
  /** The machines that run together in this call, in the order of their ids. */
  private together: State[] | undefined;
  private isInStep = false;
  /** Those whose processes are at work, the one that was loaded for another's step last. */
  private readonly atWork: State[] = [];
  /** Up to when machines were last asked to run: their work may have led them beyond it. */
  private readonly asked = new WeakMap<State, Millis>();

  /**
   * @param load the machine with an id, run up to a time; undefined when there is none
   * @param ran machines have been run together up to a time; the work of a last step may have led one beyond it
   */
  constructor(
    private readonly load: (id: string, at: Millis) => { readonly state: State } | undefined,
    private readonly ran: (states: readonly State[], at: Millis) => void = () => undefined,
  ) {}

  /** Processes are at work: what is asked now belongs to a step of one of them. */
  get isStepping(): boolean {
    return this.isInStep;
  }

  /** The time of the process that is in the middle of a step; undefined: none is. */
  get clock(): Millis | undefined {
    return this.atWork.at(-1)?.now;
  }

  /** Whether a process of a machine is in the middle of a step. */
  isAtWork(id: string): boolean {
    return this.atWork.some((state) => state.id === id);
  }

  /** For the sockets of a machine: another one that they are, or will be, connected to. */
  find(id: string, at: Millis): State | undefined {
    const known = this.running(id);
    if (known !== undefined) return known;
    const found = this.load(id, at)?.state;
    if (found !== undefined) this.include(found);
    return found;
  }

  /** A machine that is among those which run together now. */
  running(id: string): State | undefined {
    return this.together?.find((state) => state.id === id);
  }

  private include(state: State): void {
    if (this.together === undefined || this.together.includes(state)) return;
    this.together.push(state);
    this.together.sort((a, b) => (a.id < b.id ? -1 : 1));
    for (const { peer } of state.sockets.values()) {
      if (peer?.type === 'socket' && peer.machine !== state.id) this.find(peer.machine, state.now);
    }
  }

  /** When something next happens in a machine, or in one that it is connected to; undefined: never by itself. */
  nextWake(state: State): Millis | undefined {
    const connected = new Set([state]);
    let least = Infinity;
    // What is added while the set is walked is walked too.
    for (const one of connected) {
      least = Math.min(least, nextWake(one) ?? Infinity);
      for (const { peer } of one.sockets.values()) {
        if (peer?.type !== 'socket' || peer.machine === one.id) continue;
        // A look does not run others further than they were asked to.
        const other = this.find(peer.machine, Math.min(one.now, this.asked.get(one) ?? Infinity));
        if (other !== undefined) connected.add(other);
      }
    }
    return least === Infinity ? undefined : least;
  }

  /** @returns false when the steps of one call were used up before */
  run(state: State, until: Millis, maxSteps: number): boolean {
    if (this.together !== undefined) return this.runOne(state, until, maxSteps);
    this.together = [];
    try {
      this.include(state);
      this.isInStep = true;
      const isDone = this.runTogether(state, this.together, until, maxSteps);
      const ranTo = Math.min(until, ...this.together.map(({ now }) => now));
      for (const one of this.together) this.asked.set(one, ranTo);
      this.ran(this.together, ranTo);
      return isDone;
    } finally {
      this.isInStep = false;
      this.together = undefined;
    }
  }

  /** A machine that is loaded while others run catches up alone. */
  private runOne(state: State, until: Millis, maxSteps: number): boolean {
    state.budget = maxSteps;
    state.horizon = 0;
    return this.work(state, until);
  }

  private work(state: State, until: Millis): boolean {
    this.atWork.push(state);
    try {
      return runUntil(state, until);
    } finally {
      this.atWork.pop();
    }
  }

  /** `asked.budget` is what is left of the steps of all. */
  private runTogether(asked: State, states: readonly State[], until: Millis, maxSteps: number): boolean {
    let left = maxSteps;
    for (;;) {
      const next = earliest(states);
      const at = next === undefined ? undefined : nextWake(next);
      if (next === undefined || at === undefined || at > until) break;
      next.budget = left;
      // A machine that others may reach has no time of its own.
      next.horizon = states.length === 1 ? until : 0;
      const isDone = this.work(next, at);
      left = next.budget;
      asked.budget = left;
      if (!isDone) return false;
    }
    asked.budget = left;
    for (const state of states) state.now = Math.max(state.now, until);
    return true;
  }
}

function earliest(states: readonly State[]): State | undefined {
  let first: State | undefined;
  let least = Infinity;
  for (const state of states) {
    const at = nextWake(state);
    if (at === undefined || at >= least) continue;
    least = at;
    first = state;
  }
  return first;
}
