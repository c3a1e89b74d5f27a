import { expect, test } from '@jest/globals';
import type { Reader } from '../../../machinery/client.js';
import { findUnlisted, isSandbox, isUnlisted, sandboxKey } from './sandbox-pod.js';

test.each([
  [sandboxKey('abc'), true, true],
  [{ namespace: 'kube-node-lease', name: 'node:worker-1' }, false, true],
  [{ namespace: 'default', name: 'sandbox.abc' }, false, false],
])('%o is of a sandbox: %s, of no pod of the cluster: %s', (key, sandbox, unlisted) =>
  expect([isSandbox(key), isUnlisted(key)]).toEqual([sandbox, unlisted]),
);

test('the pod of a sandbox is found by its key', () => {
  const read = {
    get: (_kind: unknown, { name }: { name: string }) => (name === 'abc' ? { pod: 'its pod' } : undefined),
  };
  expect(findUnlisted(read as unknown as Reader, sandboxKey('abc'))).toBe('its pod');
  expect(findUnlisted(read as unknown as Reader, sandboxKey('other'))).toBeUndefined();
});
