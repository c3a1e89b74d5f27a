import { describe, expect, test } from '@jest/globals';
import type { Pod } from '../api/core_v1.js';
import { timestamp } from '../machinery/time/time.js';
import { getPodsToDelete } from './active-pods-with-ranks.js';

const NOW = Date.UTC(2026, 0, 2);
const HOUR = 3_600_000;

interface Traits {
  readonly node?: string;
  readonly phase?: string;
  /** Hours since the pod became ready; undefined while it is not. */
  readonly ready?: number;
  /** Hours since its creation. */
  readonly age?: number;
  readonly restarts?: number;
  readonly cost?: string;
}

function pod(name: string, { node = 'n', phase = 'Running', ready = 1, age = 1, restarts = 0, cost }: Traits): Pod {
  const since = timestamp(NOW - (Number.isNaN(ready) ? 0 : ready) * HOUR);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      uid: name,
      creationTimestamp: timestamp(NOW - age * HOUR),
      ...(cost === undefined ? {} : { annotations: { 'controller.kubernetes.io/pod-deletion-cost': cost } }),
    },
    spec: { containers: [], ...(node ? { nodeName: node } : {}) },
    status: {
      phase,
      conditions: [{ type: 'Ready', status: Number.isNaN(ready) ? 'False' : 'True', lastTransitionTime: since }],
      containerStatuses: [{ name: 'c', image: '', imageID: '', ready: true, restartCount: restarts }],
    },
  } as Pod;
}
const UNREADY = Number.NaN;
const names = (pods: readonly Pod[]): string[] => pods.map((p) => p.metadata.name!);

describe('of two pods, the first to be deleted is the one', () => {
  test.each<[string, Traits, Traits]>([
    ['without a node', { node: '' }, { phase: 'Pending' }],
    ['that is pending', { phase: 'Pending' }, { phase: 'Unknown' }],
    ['whose phase is unknown', { phase: 'Unknown' }, { ready: UNREADY }],
    ['that is not ready', { ready: UNREADY, cost: '9' }, { cost: '-9' }],
    ['that costs less', { cost: '-9', ready: 5 }, { ready: 1 }],
    ['that became ready last', { ready: 1, restarts: 0 }, { ready: 5, restarts: 9 }],
    ['that has restarted more often', { restarts: 2, age: 9 }, { restarts: 1, age: 1 }],
    ['that is younger', { age: 2 }, { age: 9 }],
  ])('%s', (_, first, second) => {
    const pods = [pod('b', second), pod('a', first)];
    const swapped = [pod('a', second), pod('b', first)];
    expect(names(getPodsToDelete(pods, pods, 1, NOW))).toEqual(['a']);
    expect(names(getPodsToDelete(swapped, swapped, 1, NOW))).toEqual(['b']);
  });

  test('on the node that has more of the related pods', () => {
    const pods = [pod('a', { node: 'few' }), pod('b', { node: 'many' })];
    const related = [...pods, pod('c', { node: 'many' })];
    expect(names(getPodsToDelete(pods, related, 1, NOW))).toEqual(['b']);
  });

  test.each(['much', '1.5', ''])('whose cost is no whole number like any other: %p', (cost) => {
    const pods = [pod('a', {}), pod('b', { cost })];
    expect(names(getPodsToDelete(pods, pods, 1, NOW))).toEqual(['a']);
  });

  test('with the lower uid, when their ages are about the same', () => {
    const pods = [pod('b', { age: 1.1, ready: 1.1 }), pod('a', { age: 1, ready: 1 })];
    expect(names(getPodsToDelete(pods, pods, 1, NOW))).toEqual(['a']);
  });
});

test('all pods, when all are to go', () => {
  const pods = [pod('b', {}), pod('a', {})];
  expect(getPodsToDelete(pods, pods, 2, NOW)).toBe(pods);
});
