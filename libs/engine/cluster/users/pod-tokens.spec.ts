import { expect, test } from '@jest/globals';
import type { Pod } from '../../api/core_v1.js';
import { ClusterKeys } from '../../machinery/crypto/cluster-keys.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { HOUR } from '../../machinery/time/time.js';
import type { State } from '../../runtime/state/state.js';
import { podToken } from './pod-tokens.js';

const NOW = Date.UTC(2026, 0, 1);
const objects: Readonly<Record<string, KubeObject>> = {
  ServiceAccount: { kind: 'ServiceAccount', metadata: { namespace: 'shop', name: 'default', uid: 's1' } } as KubeObject,
  Node: { kind: 'Node', metadata: { name: 'worker-1', uid: 'n1' } } as KubeObject,
};
const state = { get: ({ kind }: { kind: string }) => objects[kind] } as unknown as State;
const pod = {
  metadata: { namespace: 'shop', name: 'web', uid: 'p1' },
  spec: { nodeName: 'worker-1', containers: [] },
  status: { startTime: new Date(NOW).toISOString() },
} as unknown as Pod;

const tokenAt = (ms: number): string => podToken(state, new ClusterKeys('secret'), pod, undefined, 3_600, NOW + ms);

function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
}

test('a token is bound to its pod and node', () =>
  expect(claimsOf(tokenAt(0))['kubernetes.io']).toMatchObject({
    namespace: 'shop',
    pod: { name: 'web', uid: 'p1' },
    node: { name: 'worker-1', uid: 'n1' },
  }));

test('it rotates when it has used up 80 % of its time', () => {
  expect(tokenAt(0.79 * HOUR)).toBe(tokenAt(0));
  expect(tokenAt(0.81 * HOUR)).not.toBe(tokenAt(0));
});

test('there are none in a cluster without keys', () =>
  expect(podToken(state, undefined, pod, undefined, 3_600, NOW)).toBe(''));
