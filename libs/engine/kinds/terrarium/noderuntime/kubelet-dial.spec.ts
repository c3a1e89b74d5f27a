import { expect, test } from '@jest/globals';
import type { Node } from '../../../api/core_v1.js';
import type { Reader } from '../../../machinery/client.js';
import { kubeletDialError } from './kubelet-dial.js';

const node = {
  metadata: { name: 'n' },
  status: { addresses: [{ type: 'InternalIP', address: '172.18.0.3' }] },
} as unknown as Node;

test.each<[object | undefined, string | undefined]>([
  [undefined, undefined],
  [{ kubelet: { state: 'running' } }, undefined],
  // It does not reach the API server, by its own configuration: it is reached.
  [{ kubelet: { state: 'cut' } }, undefined],
  [{ kubelet: { state: 'stopped' }, fault: 'off' }, 'connect: no route to host'],
  [{ kubelet: { state: 'stopped' }, shutdown: { since: '', isOff: true } }, 'connect: no route to host'],
  [{ kubelet: { state: 'cut' }, fault: 'cut' }, 'i/o timeout'],
  [{ kubelet: { state: 'stopped' } }, 'connect: connection refused'],
  [{ kubelet: { state: 'failing' } }, 'connect: connection refused'],
  [{ kubelet: { state: 'running' }, fault: 'runtime-stopped' }, undefined],
])('of %j the dialer says %j', (runtime, expected) => {
  const read = { get: () => runtime } as unknown as Reader;
  expect(kubeletDialError(read, node)).toBe(expected && `dial tcp 172.18.0.3:10250: ${expected}`);
});
