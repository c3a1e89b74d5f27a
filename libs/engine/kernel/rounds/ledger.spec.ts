import { expect, test } from '@jest/globals';
import { chargeCpu, newCpuAccount, STEPS_PER_MS } from '../cgroup/cpu.js';
import type { Container, CpuAccount } from '../container-state.js';
import type { Process } from '../process/process.js';
import type { State } from '../state.js';
import { Ledger } from './ledger.js';
import { RoundPlan } from './plan.js';
import type { Turn } from './turn.js';

const AT = 1_767_225_600_000;
const turn = (steps: number, more: Partial<Turn> = {}): Turn => ({
  ...{ steps, isMain: false, held: 0, isAlone: true, isWake: false, sleep: undefined, prints: [], ...more },
});
/** Works, prints, sleeps for a second, and is woken. */
const ROUND = [
  turn(700, { isMain: true, held: 5 }),
  turn(650, { prints: [{ to: 'stdout', bytes: 'x\n', text: 'x\n', command: 'c' }] }),
  turn(10, { sleep: 1_000 }),
  turn(10, { isWake: true }),
];

const PLAN = new RoundPlan(ROUND);
const noTimes = (): Float64Array => new Float64Array(1);

interface Accounts {
  readonly state: State;
  readonly main: Process;
  readonly container: Container;
}

function accounts(cpu: Partial<CpuAccount> = {}, cpuLimit?: number): Accounts {
  return {
    state: { now: AT, steps: 0 } as State,
    main: { cpu: 0, held: 0 } as Process,
    container: { cpu: { ...newCpuAccount(AT), ...cpu }, cpuLimit } as Container,
  };
}

/** As the scheduler charges the turns of ROUND. */
function charge({ state, container }: Accounts): void {
  let wake = 0;
  for (const { steps, sleep, isWake } of ROUND) {
    if (isWake) state.now = wake;
    if (container.cpu.throttledUntil > state.now) state.now = container.cpu.throttledUntil;
    if (sleep !== undefined) wake = state.now + sleep;
    state.steps += steps;
    state.now += Math.floor(state.steps / STEPS_PER_MS);
    state.steps %= STEPS_PER_MS;
    chargeCpu(container, steps, state.now);
  }
}

test.each<[string, Partial<CpuAccount>, number | undefined]>([
  ['without a limit', {}, undefined],
  ['with a limit', {}, 500],
  ['that has few steps left', { tokens: 2_510_000 }, undefined],
  ['that has used up its steps for a long time', { tokens: 5_000, exhaustedSince: AT - 5_000_000 }, undefined],
])('rounds on paper cost what rounds cost in a container %s', (_what, cpu, limit) => {
  const [real, paper] = [accounts(cpu, limit), accounts(cpu, limit)];
  const ledger = Ledger.of(paper.state, paper.main, paper.container);
  for (let i = 0; i < 50; i++) {
    charge(real);
    expect(ledger.goOnce(PLAN, noTimes())).toBe(true);
  }
  ledger.settle(paper.state, paper.main, paper.container);
  expect(paper.container.cpu).toEqual(real.container.cpu);
  expect(paper.state).toEqual(real.state);
  expect(paper.main).toEqual({ cpu: 35_000, held: 5 });
});

test('prints have the times of their turns', () => {
  const { state, main, container } = accounts();
  const times = noTimes();
  const plan = new RoundPlan([turn(2_500, { isMain: true }), ...ROUND]);
  Ledger.of(state, main, container).goOnce(plan, times);
  expect([...times]).toEqual([AT + 3]);
});

test.each<[string, Turn[]]>([
  ['a sleeper that wakes before others are done', [turn(1, { sleep: 1 }), turn(5_000), turn(1)]],
  ['a throttled container with several processes ready', [turn(1, { isAlone: false })]],
])('%s goes another way', (_what, turns) => {
  const { state, main, container } = accounts({ throttledUntil: AT + (turns.length > 1 ? 0 : 50) });
  expect(Ledger.of(state, main, container).goOnce(new RoundPlan(turns), noTimes())).toBe(false);
});

test('a copy takes back what was charged', () => {
  const { state, main, container } = accounts();
  const [ledger, before] = [Ledger.of(state, main, container), Ledger.of(state, main, container)];
  ledger.goOnce(PLAN, noTimes());
  ledger.copy(before);
  ledger.settle(state, main, container);
  expect({ state, main, container }).toEqual(accounts());
});
