import { expect, test } from '@jest/globals';
import type { Reader } from '../../../machinery/client.js';
import { storageKey } from '../../../machinery/kind.js';
import { isKubeletRunning, kind, runsPods, type NodeService } from './kind.js';

test('a NodeRuntime is stored, and served to nobody', () => {
  expect(kind.internal).toBe(true);
  expect(storageKey(kind)).toBe('noderuntimes.terrarium.dev');
});

test.each<[NodeService['state'] | undefined, boolean]>([
  [undefined, true],
  ['running', true],
  ['stopped', false],
  ['failing', false],
  ['cut', false],
])('a kubelet that is %s does its work: %s', (state, expected) => {
  const read = { get: () => state && { kubelet: { state } } } as unknown as Reader;
  expect(isKubeletRunning(read, 'worker-1')).toBe(expected);
});

test.each<[NodeService['state'], NodeService['state'], boolean]>([
  ['running', 'running', true],
  ['running', 'stopped', false],
  ['cut', 'running', false],
])('a node whose kubelet is %s and whose containerd is %s runs pods: %s', (kubelet, containerd, expected) => {
  const read = { get: () => ({ kubelet: { state: kubelet }, containerd: { state: containerd } }) };
  expect(runsPods(read as unknown as Reader, 'worker-1')).toBe(expected);
});
