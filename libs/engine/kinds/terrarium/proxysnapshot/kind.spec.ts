import { expect, test } from '@jest/globals';
import { storageKey } from '../../../machinery/kind.js';
import { kind } from './kind.js';

test('a ProxySnapshot is stored, and served to nobody', () => {
  expect([kind.internal, storageKey(kind)]).toEqual([true, 'proxysnapshots.terrarium.dev']);
});
