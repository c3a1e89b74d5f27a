import { describe, expect, it } from '@jest/globals';
import type { Deployment, ReplicaSet } from '../../api/apps_v1.js';
import {
  maxSurge,
  maxUnavailable,
  newReplicaSetSize,
  scaleProportionally,
  scaleDownOldReplicaSets,
} from './rolling.js';

const deployment = (replicas: number, surge: number | string, unavailable: number | string): Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas,
    selector: {},
    template: {},
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: surge, maxUnavailable: unavailable } },
  },
  status: {},
});
let age = 0;
const set = (name: string, replicas: number, available = replicas, max?: number): ReplicaSet => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: {
    name,
    creationTimestamp: `2026-01-01T00:00:${String(age++ % 60).padStart(2, '0')}Z`,
    ...(max === undefined ? {} : { annotations: { 'deployment.kubernetes.io/max-replicas': String(max) } }),
  },
  spec: { replicas, selector: {} },
  status: { replicas, availableReplicas: available },
});
const told = (steps: readonly { set: ReplicaSet; to: number }[]): string[] =>
  steps.map((s) => `${s.set.metadata.name} to ${s.to}`);

describe('a rolling update', () => {
  it.each([
    [10, '25%', '25%', 3, 2],
    [3, '25%', '25%', 1, 0],
    [1, '25%', '25%', 1, 0],
    [4, 0, '1%', 0, 1],
    [10, 0, 20, 0, 10],
    [0, 1, 1, 1, 0],
  ])(
    'of %i with surge %p and unavailable %p may have %i more and %i fewer',
    (replicas, surge, unavailable, more, fewer) => {
      const d = deployment(replicas, surge, unavailable);
      expect([maxSurge(d), maxUnavailable(d)]).toEqual([more, fewer]);
    },
  );

  it('grows the new ReplicaSet into the room there is', () => {
    const d = deployment(10, 3, 2);
    expect(newReplicaSetSize(d, [set('old', 10)], 0)).toBe(3);
    expect(newReplicaSetSize(d, [set('old', 8), set('new', 5)], 5)).toBe(5);
    expect(newReplicaSetSize(d, [set('old', 2), set('new', 9)], 9)).toBe(10);
  });

  it('takes unhealthy old pods first, then what availability allows', () => {
    const d = deployment(10, 3, 2);
    expect(told(scaleDownOldReplicaSets(d, [set('old', 10)], set('new', 3, 0)))).toEqual(['old to 8']);
    expect(told(scaleDownOldReplicaSets(d, [set('old', 8)], set('new', 5, 0)))).toEqual([]);
    expect(told(scaleDownOldReplicaSets(d, [set('old', 8)], set('new', 5, 5)))).toEqual(['old to 3']);
    expect(told(scaleDownOldReplicaSets(d, [set('sick', 4, 0), set('old', 6)], set('new', 3, 3)))).toEqual([
      'sick to 0',
      'old to 5',
    ]);
  });

  it('shares a new size among the ReplicaSets in proportion', () => {
    const d = deployment(15, 3, 2);
    const old = set('old', 8, 8, 13);
    const fresh = set('new', 5, 0, 13);
    expect(told(scaleProportionally(d, [old, fresh]))).toEqual(['old to 11', 'new to 7']);
    expect(told(scaleProportionally(deployment(0, 3, 2), [old, fresh]))).toEqual(['old to 0', 'new to 0']);
  });
});
