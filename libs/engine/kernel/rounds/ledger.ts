import type { Millis } from '../../machinery/time/time.js';
import { BURST_STEPS, chargeAccount, earnedIn, isRested, STEPS_PER_MS } from '../cgroup/cpu.js';
import { ownLimit } from '../cgroup/stress.js';
import type { Container, CpuAccount } from '../container-state.js';
import { MEASURED_STEPS } from '../process/size.js';
import type { Process } from '../process/process.js';
import type { State } from '../state.js';
import type { RoundPlan } from './plan.js';

/**
 * The machine's time and accounts, which change in a round, apart from the machine. A round on paper takes some hundred
 * nanoseconds: numbers that stand in an array of them are neither boxed nor collected.
 */
export class Ledger {
  private readonly cpu = new CpuNumbers();
  now: Millis = 0;
  private steps = 0;
  /** Of the main process. */
  private mainCpu = 0;
  private held = 0;

  private constructor(private readonly limit: number | undefined) {}

  static of({ now, steps }: State, { cpu, held }: Process, container: Container): Ledger {
    const ledger = new Ledger(ownLimit(container));
    ledger.now = now;
    ledger.steps = steps;
    ledger.mainCpu = cpu;
    ledger.held = held;
    copyCpu(container.cpu, ledger.cpu);
    return ledger;
  }

  copy(from: Ledger): void {
    this.now = from.now;
    this.steps = from.steps;
    this.mainCpu = from.mainCpu;
    this.held = from.held;
    this.cpu.copy(from.cpu);
  }

  /** Writes the accounts into the machine. */
  settle(state: State, main: Process, { cpu }: Container): void {
    state.now = this.now;
    state.steps = this.steps;
    main.cpu = this.mainCpu;
    main.held = this.held;
    copyCpu(this.cpu, cpu);
  }

  /**
   * One round. `times`, of as many places as a round has prints, gets their times. False: it goes another way, and the
   * accounts are of no use.
   */
  goOnce(plan: RoundPlan, times: Float64Array): boolean {
    const { cpu, limit } = this;
    let { now, steps } = this;
    let printed = 0;
    let isAsleep = false;
    let wake: Millis = 0;
    for (let turn = 0; turn < plan.turns; turn++) {
      if (plan.isWake(turn)) {
        now = Math.max(now, wake);
        isAsleep = false;
      } else if (isAsleep && wake <= now) return false;
      if (cpu.throttledUntil > now) {
        if (!plan.isAlone(turn) || isAsleep) return false;
        now = cpu.throttledUntil;
      }
      if (plan.sleepsAfter(turn)) {
        wake = now + plan.sleeps[turn]!;
        isAsleep = true;
      }
      for (let i = plan.prints[turn]!; i > 0; i--) times[printed++] = now;
      const charged = plan.steps[turn]!;
      steps += charged;
      if (steps >= STEPS_PER_MS) {
        const ms = Math.floor(steps / STEPS_PER_MS);
        now += ms;
        steps -= ms * STEPS_PER_MS;
      }
      if (limit !== undefined || !cpu.chargeFreely(charged, now)) chargeAccount(cpu, limit, charged, now);
      if (plan.isMain(turn)) this.chargeMain(charged, plan.held[turn]!);
    }
    this.now = now;
    this.steps = steps;
    return true;
  }

  private chargeMain(steps: number, held: number): void {
    const before = this.mainCpu;
    this.mainCpu += steps;
    if (Math.floor(before / MEASURED_STEPS) !== Math.floor(this.mainCpu / MEASURED_STEPS)) this.held = held;
  }
}

/** A CPU account as numbers in a row. */
class CpuNumbers implements CpuAccount {
  private readonly numbers = new Float64Array(10);

  copy({ numbers: from }: CpuNumbers): void {
    const { numbers } = this;
    for (let i = 0; i < 10; i++) numbers[i] = from[i]!;
  }

  /** As chargeAccount, far from all bounds; false: it is not, and nothing is charged. */
  chargeFreely(steps: number, now: Millis): boolean {
    const { numbers } = this;
    const tokens = Math.min(BURST_STEPS, numbers[0]! + earnedIn(Math.max(0, now - numbers[1]!)));
    if (!isRested(tokens - steps)) return false;
    numbers[0] = tokens - steps;
    numbers[1] = Math.max(numbers[1]!, now);
    numbers[2]! += steps / STEPS_PER_MS;
    numbers[9] = 0;
    return true;
  }

  get tokens(): number {
    return this.numbers[0]!;
  }
  set tokens(steps: number) {
    this.numbers[0] = steps;
  }
  get refilledAt(): Millis {
    return this.numbers[1]!;
  }
  set refilledAt(at: Millis) {
    this.numbers[1] = at;
  }
  get used(): Millis {
    return this.numbers[2]!;
  }
  set used(ms: Millis) {
    this.numbers[2] = ms;
  }
  get period(): number {
    return this.numbers[3]!;
  }
  set period(period: number) {
    this.numbers[3] = period;
  }
  get usedInPeriod(): Millis {
    return this.numbers[4]!;
  }
  set usedInPeriod(ms: Millis) {
    this.numbers[4] = ms;
  }
  get periods(): number {
    return this.numbers[5]!;
  }
  set periods(count: number) {
    this.numbers[5] = count;
  }
  get throttledPeriods(): number {
    return this.numbers[6]!;
  }
  set throttledPeriods(count: number) {
    this.numbers[6] = count;
  }
  get throttledMs(): Millis {
    return this.numbers[7]!;
  }
  set throttledMs(ms: Millis) {
    this.numbers[7] = ms;
  }
  get throttledUntil(): Millis {
    return this.numbers[8]!;
  }
  set throttledUntil(at: Millis) {
    this.numbers[8] = at;
  }
  get exhaustedSince(): Millis | undefined {
    return this.numbers[9]! || undefined;
  }
  set exhaustedSince(at: Millis | undefined) {
    this.numbers[9] = at ?? 0;
  }
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
