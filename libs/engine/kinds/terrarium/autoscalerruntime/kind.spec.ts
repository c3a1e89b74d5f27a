import { expect, test } from '@jest/globals';
import { storageKey } from '../../../machinery/kind.js';
import { kind } from './kind.js';

test('an AutoscalerRuntime is stored, and served to nobody', () => {
  expect(kind.internal).toBe(true);
  expect(storageKey(kind)).toBe('autoscalerruntimes.terrarium.dev');
});
