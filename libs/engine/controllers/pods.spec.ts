import { describe, expect, test } from '@jest/globals';
import type { Pod, PodStatus } from '../api/core_v1.js';
import { timestamp } from '../machinery/time/time.js';
import {
  controlledPods,
  controllingPod,
  findMinNextPodAvailabilityCheck,
  getPodFromTemplate,
  isPodActive,
  isPodAvailable,
  isPodTerminating,
} from './pods.js';

const NOW = Date.UTC(2026, 0, 2);
const pod = (status: Partial<PodStatus>, metadata: Partial<Pod['metadata']> = {}): Pod =>
  ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', ...metadata }, spec: { containers: [] }, status }) as Pod;
const readyFor = (seconds: number): Pod =>
  pod({ conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: timestamp(NOW - seconds * 1000) }] });
const unready = pod({ conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: timestamp(NOW) }] });
const deleted = { deletionTimestamp: timestamp(NOW) };

test.each<[string, Pod, boolean, boolean]>([
  ['that runs', pod({ phase: 'Running' }), true, false],
  ['that waits', pod({ phase: 'Pending' }), true, false],
  ['that has succeeded', pod({ phase: 'Succeeded' }), false, false],
  ['that has failed and is deleted', pod({ phase: 'Failed' }, deleted), false, false],
  ['that runs and is deleted', pod({ phase: 'Running' }, deleted), false, true],
])('a pod %s: active, terminating', (_, of, active, terminating) =>
  expect([isPodActive(of), isPodTerminating(of)]).toEqual([active, terminating]),
);

describe('a pod is available', () => {
  test.each<[string, Pod, number, boolean]>([
    ['at once', readyFor(0), 0, true],
    ['not before it is ready', unready, 0, false],
    ['not before it has been ready for long enough', readyFor(29), 30, false],
    ['when it has been ready for long enough', readyFor(30), 30, true],
  ])('%s', (_, of, minReadySeconds, available) => expect(isPodAvailable(of, minReadySeconds, NOW)).toBe(available));
});

test.each<[string, Pod[], number, number | undefined]>([
  ['the first of those that wait', [readyFor(10), readyFor(20), readyFor(40), unready], 30, 10_000],
  ['never, when all are available', [readyFor(40)], 30, undefined],
  ['never, without a time to wait', [readyFor(0)], 0, undefined],
])('the next check of availability: %s', (_, pods, minReadySeconds, span) =>
  expect(findMinNextPodAvailabilityCheck(pods, minReadySeconds, NOW)).toBe(span),
);

test('a pod has the labels, annotations and finalizers of its template, and its spec', () => {
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name: 'web', namespace: 'shop' } };
  const ref = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: '1', controller: true };
  const metadata = { labels: { app: 'web' }, annotations: { a: 'b' }, finalizers: ['x/y'], name: 'ignored' };
  const spec = { containers: [{ name: 'c' }] };
  const made = getPodFromTemplate({ metadata, spec }, owner, ref);
  expect(made.metadata).toEqual({
    generateName: 'web-',
    namespace: 'shop',
    labels: { app: 'web' },
    annotations: { a: 'b' },
    finalizers: ['x/y'],
    ownerReferences: [ref],
  });
  expect(made.metadata.labels).not.toBe(metadata.labels);
  expect(made.spec).toBe(spec);
  expect(getPodFromTemplate({ spec }, owner, ref).metadata).not.toHaveProperty('labels');
});

test('controlled pods are those of the owner with this uid', () => {
  const owned = (uid: string, controller: boolean): Pod =>
    pod({}, { ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid, controller }] });
  const mine = owned('1', true);
  const claim = { ...mine, kind: 'PersistentVolumeClaim' };
  expect(controlledPods([mine, owned('1', false), owned('2', true), claim], '1')).toEqual([mine]);
});

test.each([
  ['its pod', { kind: 'Pod', name: 'p', controller: true }, [{ namespace: 'd', name: 'p' }]],
  ['another kind', { kind: 'Job', name: 'p', controller: true }, []],
  ['a pod that does not control it', { kind: 'Pod', name: 'p' }, []],
])('an object that belongs to %s', (_case, owner, expected) => {
  const ownerReferences = [{ apiVersion: 'v1', uid: 'u', ...owner }];
  const object = { apiVersion: 'v1', kind: 'X', metadata: { namespace: 'd', name: 'x', ownerReferences } };
  expect(controllingPod(object)).toEqual(expected);
});
