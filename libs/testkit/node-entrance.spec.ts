import { expect, test } from '@jest/globals';
import { enterNode } from './node-entrance.js';

test.each([
  ['/api/v1/nodes/a', { path: '/api/v1/nodes/a' }],
  ['/entered-nodes/api/v1', { path: '/api/v1' }],
  ['/entered-nodes/api/v1/namespaces/default/pods/worker-1/exec', { path: '/api/v1/nodes/worker-1/shell' }],
])('%s leads to %j', (path, expected) => expect(enterNode(path)).toEqual(expected));

test('a node is a pod that runs', () =>
  expect(enterNode('/entered-nodes/api/v1/namespaces/default/pods/worker-1')).toMatchObject({
    pod: { metadata: { name: 'worker-1' }, status: { phase: 'Running' } },
  }));
