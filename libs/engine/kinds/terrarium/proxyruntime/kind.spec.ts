import { expect, test } from '@jest/globals';
import { storageKey } from '../../../machinery/kind.js';
import { kind, type ProxyRuntime } from './kind.js';

test('a ProxyRuntime is stored, served to nobody, and found by its snapshot', () => {
  expect([kind.internal, storageKey(kind)]).toEqual([true, 'proxyruntimes.terrarium.dev']);
  const indexOf = (fields: Partial<ProxyRuntime>): readonly string[] =>
    kind.indexes!['snapshot']!({ metadata: { name: 'worker-1' }, ...fields } as ProxyRuntime);
  expect([indexOf({ snapshot: 's7' }), indexOf({})]).toEqual([['s7'], []]);
});
