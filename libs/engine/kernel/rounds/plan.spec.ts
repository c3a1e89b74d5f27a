import { expect, test } from '@jest/globals';
import { RoundPlan } from './plan.js';
import type { Print, Turn } from './turn.js';

const NOTHING = { steps: 1, isMain: false, held: 0, isAlone: false, isWake: false, sleep: undefined, prints: [] };
const print = (bytes: string, to: Print['to'] = 'stdout'): Print => ({ to, bytes, text: bytes, command: 'c' });

test.each<[keyof Turn, Partial<Turn>, (plan: RoundPlan) => unknown]>([
  ['steps', { steps: 700 }, ({ steps }) => steps[1]],
  ['held', { held: 5 }, ({ held }) => held[1]],
  ['sleep', { sleep: 1_000 }, ({ sleeps }) => sleeps[1]],
  ['isMain', { isMain: true }, (plan) => plan.isMain(1)],
  ['isAlone', { isAlone: true }, (plan) => plan.isAlone(1)],
  ['isWake', { isWake: true }, (plan) => plan.isWake(1)],
])('%s of a turn stands in its row', (field, more, read) => {
  const plan = new RoundPlan([NOTHING, { ...NOTHING, ...more }, NOTHING]);
  expect(plan.turns).toBe(3);
  expect(read(plan)).toBe(more[field]);
  expect([0, 1, 2].map((turn) => plan.sleepsAfter(turn))).toEqual([false, field === 'sleep', false]);
});

test('a turn may sleep for no time', () => {
  expect(new RoundPlan([{ ...NOTHING, sleep: 0 }]).sleepsAfter(0)).toBe(true);
});

test('prints of all turns stand in one row', () => {
  const plan = new RoundPlan([
    { ...NOTHING, prints: [print('a'), print('b', 'pipe')] },
    { ...NOTHING, isMain: true, prints: [print('c', 'stderr')] },
  ]);
  const { texts, recorded, to, isOwn, prints } = plan;
  expect({ texts, recorded, to, isOwn, prints: [...prints] }).toEqual({
    texts: ['a', 'b', 'c'],
    recorded: ['a', 'b', 'c'],
    to: ['stdout', 'pipe', 'stderr'],
    isOwn: [false, false, true],
    prints: [2, 1],
  });
});
