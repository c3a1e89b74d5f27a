import { expect, test } from '@jest/globals';
import { errorsOf } from '../../testing.js';
import { kind as Scenarios, planSteps } from './kind.js';

const fault = (duration?: string) => ({
  type: 'SchedulerDown',
  ...(duration === undefined ? {} : { duration }),
});

test('steps are planned one after another, parallel ones side by side', () => {
  const plan = planSteps([
    { name: 'first', fault: fault('10s') },
    { delay: '5s' },
    {
      parallel: [
        { name: 'a', fault: fault('20s') },
        { name: 'b', delay: '1s', fault: fault('3s') },
      ],
    },
    { name: 'loose', fault: fault('1m'), detached: true },
    { name: 'last', delay: '2s', steps: [{ fault: fault('4s') }] },
  ]);
  expect(plan.faults.map(({ name, at }) => [name, at])).toEqual([
    ['first', 0],
    ['a', 15_000],
    ['b', 16_000],
    ['loose', 35_000],
    ['SchedulerDown', 37_000],
  ]);
  expect(plan.end).toBe(41_000);
});

test.each<[string, unknown, string | undefined]>([
  ['a fault', [{ fault: fault('1s') }], undefined],
  ['no list', {}, 'spec.steps: Invalid value'],
  ['an empty step', [{}], 'spec.steps[0]: Required value: one of delay, fault, steps, parallel'],
  ['two things at once', [{ fault: fault(), steps: [] }], 'spec.steps[0]: Forbidden'],
  ['a wrong fault', [{ fault: { type: 'NodeDown' } }], 'spec.steps[0].fault.target: Required value'],
  ['a wrong delay', [{ delay: 'x' }], 'spec.steps[0].delay: Invalid value'],
  ['too many', Array.from({ length: 101 }, () => ({ delay: '1s' })), 'spec.steps: Too many'],
])('%s', (_case, steps, expected) => {
  const errors = errorsOf(Scenarios, { metadata: { name: 's' }, spec: { steps } as never });
  if (expected === undefined) expect(errors).toEqual([]);
  else expect(errors.join('\n')).toContain(expected);
});
