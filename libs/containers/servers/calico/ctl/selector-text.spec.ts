import { expect, test } from '@jest/globals';
import { selectorText } from './selector-text.js';

const ALL = "projectcalico.org/orchestrator == 'k8s'";

test.each<[Record<string, unknown>, string]>([
  [{}, ALL],
  [{ matchLabels: { b: '2', a: '1' } }, `${ALL} && a == '1' && b == '2'`],
  [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['x', 'y'] }] }, `${ALL} && a in { 'x', 'y' }`],
  [{ matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] }, `${ALL} && ! has(a)`],
])('%j in words', (selector, text) => {
  expect(selectorText(selector)).toBe(text);
});
