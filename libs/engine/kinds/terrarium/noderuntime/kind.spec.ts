import { expect, test } from '@jest/globals';
import type { Reader } from '../../../machinery/client.js';
import { storageKey } from '../../../machinery/kind.js';
import { isKubeletRunning, kind, type NodeService } from './kind.js';

test('a NodeRuntime is stored, and served to nobody', () => {
  expect(kind.internal).toBe(true);
  expect(storageKey(kind)).toBe('noderuntimes.terrarium.dev');
});

test.each<[NodeService['state'] | undefined, boolean]>([
  [undefined, true],
  ['running', true],
  ['stopped', false],
  ['failing', false],
])('a kubelet that is %s does its work: %s', (state, expected) => {
  const read = { get: () => state && { kubelet: { state } } } as unknown as Reader;
  expect(isKubeletRunning(read, 'worker-1')).toBe(expected);
});
