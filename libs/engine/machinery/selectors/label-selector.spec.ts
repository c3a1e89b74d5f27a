import { expect, test } from '@jest/globals';
import { formatLabelSelector, formatMap, matchesLabelSelector, matchesMap } from './label-selector.js';

const web = { app: 'web', tier: 'front', weight: '5' };

test.each([
  [undefined, false, '<none>'],
  [{ matchLabels: { app: 'web' } }, true, 'app=web'],
  [{ matchLabels: { app: 'web', tier: 'back' } }, false, 'app=web,tier=back'],
  [
    { matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['front', 'back'] }] },
    false,
    'tier notin (back,front)',
  ],
  [{ matchExpressions: [{ key: 'tier', operator: 'In', values: ['front'] }] }, true, 'tier in (front)'],
  [{ matchExpressions: [{ key: 'tier', operator: 'DoesNotExist' }] }, false, '!tier'],
  [{ matchExpressions: [{ key: 'weight', operator: 'Gt', values: ['4'] }] }, true, 'weight>4'],
  [{ matchLabels: { tier: 'front' }, matchExpressions: [{ key: 'app', operator: 'Exists' }] }, true, 'app,tier=front'],
  [{}, true, '<none>'],
])('the selector %j', (selector, expected, text) => {
  expect(matchesLabelSelector(selector, web)).toBe(expected);
  expect(formatLabelSelector(selector)).toBe(text);
});

test('the empty selector matches an object without labels', () =>
  expect(matchesLabelSelector({}, undefined)).toBe(true));

test.each([
  [undefined, false],
  [{}, false],
  [{ app: 'web' }, true],
  [{ app: 'web', tier: 'back' }, false],
])("a Service's selector %j: %s", (map, expected) => expect(matchesMap(map, web)).toBe(expected));

test.each([
  [undefined, ''],
  [{ b: '2', a: '1' }, 'a=1,b=2'],
])('the map %j is written %s', (map, text) => expect(formatMap(map)).toBe(text));
