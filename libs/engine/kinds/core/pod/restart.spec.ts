import { expect, test } from '@jest/globals';
import type { Container } from '../../../api/core_v1.js';
import { containerShouldRestart } from './restart.js';

const rules = (operator: string, ...values: number[]): Partial<Container> => ({
  restartPolicyRules: [{ action: 'Restart', exitCodes: { operator, values } }],
});

test.each<[string, Partial<Container>, string | undefined, number, boolean]>([
  ['its pod’s policy', {}, 'OnFailure', 1, true],
  ['its pod’s policy', {}, 'OnFailure', 0, false],
  ['no policy at all', {}, undefined, 0, true],
  ['its own policy', { restartPolicy: 'Never' }, 'Always', 1, false],
  ['a rule that names the code', { restartPolicy: 'Never', ...rules('In', 42) }, 'Never', 42, true],
  ['a rule that names another', { restartPolicy: 'Never', ...rules('In', 42) }, 'Never', 1, false],
  ['a rule that leaves out another', { restartPolicy: 'Never', ...rules('NotIn', 42) }, 'Never', 1, true],
])('by %s: %j in a pod with %s, after %i: %s', (_, container, restartPolicy, code, expected) =>
  expect(containerShouldRestart(container, restartPolicy ? { restartPolicy } : {}, code)).toBe(expected),
);
