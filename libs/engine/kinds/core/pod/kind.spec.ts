import { describe, expect, test } from '@jest/globals';
import type { Pod } from '../../../api/core_v1.js';
import { context, create } from '../../testing.js';
import { kind } from './kind.js';
import { makePod, web } from './testing.js';

describe('a new pod', () => {
  test('is pending, and of its QoS class', () =>
    expect(create(kind, { spec: { containers: [web] }, status: { phase: 'Running' } }).status).toEqual({
      phase: 'Pending',
      qosClass: 'BestEffort',
    }));
  test('with scheduling gates says so', () =>
    expect(
      create(kind, { spec: { containers: [web], schedulingGates: [{ name: 'example.com/wait' }] } }).status.conditions,
    ).toEqual([
      {
        type: 'PodScheduled',
        status: 'False',
        lastProbeTime: null,
        lastTransitionTime: '2026-01-01T12:00:00Z',
        reason: 'SchedulingGated',
        message: 'Scheduling is blocked due to non-empty scheduling gates',
      },
    ]));
});

test('a status that leaves the QoS class out keeps it', () => {
  const draft = makePod({}, { phase: 'Running' });
  kind.prepareForStatusUpdate!(draft, makePod({}, { qosClass: 'Burstable' }), context);
  expect(draft.status).toEqual({ phase: 'Running', qosClass: 'Burstable' });
});

test.each<[string, Record<string, unknown>, Pod['status'], number | undefined, number]>([
  ['that runs', { nodeName: 'n' }, { phase: 'Running' }, undefined, 30],
  ['with a time of its own', { nodeName: 'n', terminationGracePeriodSeconds: 5 }, { phase: 'Running' }, undefined, 5],
  ['with a negative time', { nodeName: 'n', terminationGracePeriodSeconds: -5 }, { phase: 'Running' }, undefined, 1],
  ['that is deleted with a grace', { nodeName: 'n' }, { phase: 'Running' }, 9, 9],
  ['that has no grace but is given one', { nodeName: 'n', terminationGracePeriodSeconds: 0 }, {}, 9, 9],
  ['that has no node', {}, { phase: 'Pending' }, 9, 0],
  ['that has failed', { nodeName: 'n' }, { phase: 'Failed' }, 9, 0],
  ['that has succeeded', { nodeName: 'n' }, { phase: 'Succeeded' }, undefined, 0],
])('the grace of a pod %s', (_, spec, status, requested, seconds) =>
  expect(kind.gracePeriod!(makePod(spec, status), requested)).toBe(seconds),
);

test.each([
  ['spec.nodeName', 'n'],
  ['spec.restartPolicy', 'Always'],
  ['spec.schedulerName', 'default-scheduler'],
  ['spec.serviceAccountName', ''],
  ['spec.hostNetwork', 'false'],
  ['status.phase', 'Running'],
  ['status.podIP', '10.244.1.2'],
  ['status.nominatedNodeName', ''],
])('the field %s is selected by %j', (field, value) =>
  expect(kind.fieldSelectors![field]!(makePod({ nodeName: 'n' }, { phase: 'Running', podIP: '10.244.1.2' }))).toBe(
    value,
  ),
);

test('pods are found by their node', () => {
  expect(kind.indexes!['nodeName']!(makePod({ nodeName: 'n' }))).toEqual(['n']);
  expect(kind.indexes!['nodeName']!(makePod())).toEqual([]);
});
