import { describe, expect, test } from '@jest/globals';
import type { Taint, Toleration } from '../../api/core_v1.js';
import { formatTaint, isTaintTolerated } from './tolerations.js';

describe('a taint is tolerated', () => {
  const taint: Taint = { key: 'k', value: 'v', effect: 'NoSchedule' };
  test.each<[string, Toleration[] | undefined, boolean]>([
    ['by none', undefined, false],
    ['by its value', [{ key: 'k', value: 'v' }], true],
    ['by its key', [{ key: 'k', operator: 'Exists' }], true],
    ['by anything', [{ operator: 'Exists' }], true],
    ['not by another value', [{ key: 'k', value: 'w' }], false],
    ['not by another key', [{ key: 'l', operator: 'Exists' }], false],
    ['not for another effect', [{ key: 'k', operator: 'Exists', effect: 'NoExecute' }], false],
    ['not by an empty key with a value', [{ value: 'v' }], false],
    ['by one of several', [{ key: 'l' }, { key: 'k', value: 'v', effect: 'NoSchedule' }], true],
  ])('%s', (_, tolerations, expected) => expect(isTaintTolerated(taint, tolerations)).toBe(expected));
});

describe('a number is compared', () => {
  test.each<[operator: string, taint: string, toleration: string, expected: boolean]>([
    ['Lt', '4', '5', true],
    ['Lt', '5', '5', false],
    ['Gt', '6', '5', true],
    ['Gt', '-4', '-5', true],
    ['Gt', '6', '05', false],
    ['Gt', '+6', '5', false],
    ['Gt', '6.5', '5', false],
    ['Lt', 'low', '5', false],
    ['Lt', '', '5', false],
    ['Lt', '4', '9223372036854775807', true],
    ['Lt', '4', '9223372036854775808', false],
  ])('%s: taint %s, toleration %s', (operator, value, tolerated, expected) => {
    const taint = { key: 'n', value, effect: 'NoSchedule' };
    expect(isTaintTolerated(taint, [{ key: 'n', operator, value: tolerated }])).toBe(expected);
  });
});

test.each<[Taint, string]>([
  [{ key: 'gpu', value: 'a100', effect: 'NoSchedule' }, 'gpu=a100:NoSchedule'],
  [{ key: 'gpu', effect: 'NoExecute' }, 'gpu:NoExecute'],
])('%j is printed', (taint, text) => expect(formatTaint(taint)).toBe(text));
