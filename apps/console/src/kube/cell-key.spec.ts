import { expect, test } from '@jest/globals';
import { cellKey, compareKeys } from './cell-key.js';

test.each<[string, readonly unknown[]]>([
  ['names by their numbers', ['web-1', 'web-2', 'web-10']],
  ['what is ready', ['0/2', '1/2', '2/2', '3/3']],
  ['quantities', ['100m', '1', '2k', '1Mi', '2Mi', '1Gi']],
  ['ages of two units', ['2m5s', '3h10m', '2d4h']],
  ['restarts', [0, 2, '3 (5m ago)', '10 (2h ago)']],
  ['percentages', ['5%', '40%']],
  ['booleans', [false, true]],
  ['times', ['2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z']],
  ['what is not known, last', [3, 'text', '<none>']],
])('%s', (_, inOrder) => {
  const sorted = [...inOrder].reverse().sort((a, b) => compareKeys(cellKey(a), cellKey(b)));
  expect(sorted).toEqual(inOrder);
});
