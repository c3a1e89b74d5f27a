import { expect, test } from '@jest/globals';
import { storageKey } from '../../../machinery/kind.js';
import { kind } from './kind.js';

test('a PodRuntime is stored, and served to nobody', () => {
  expect(kind.internal).toBe(true);
  expect(storageKey(kind)).toBe('podruntimes.terrarium.dev');
});

test('a PodRuntime is written as it is: nothing is filled in, counted or validated', () =>
  expect([kind.defaults, kind.validate, kind.prepareForCreate, kind.generation]).toEqual([
    undefined,
    undefined,
    undefined,
    false,
  ]));
