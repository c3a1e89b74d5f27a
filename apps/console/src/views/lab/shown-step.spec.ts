import { expect, test } from '@jest/globals';
import type { LabStep } from '../../api/labs.generated.js';
import { shownStep } from './shown-step.js';

const step = (name: string): LabStep => ({
  ...{ name, title: name, text: '', hints: [], foreground: null, canVerify: true, done: false, checks: [] },
});
const steps = [step('a'), step('b'), step('c')];

test.each<[string, number, string, number]>([
  ['the one that is named', 1, 'c', 2],
  ['the first that is not done', 2, '', 1],
  ['of one that is not there the first that is not done', 3, 'gone', 2],
  ['at the end the last', 4, '', 2],
])('%s', (_, open, chosen, index) => expect(shownStep({ steps, step: open }, chosen)).toBe(index));
