import { expect, test } from '@jest/globals';
import type { Pod } from '../../api/core_v1.js';
import { isPending, isUnschedulable } from './pending.js';
import { makePod } from '../testing.js';

const conditions = (status: string, reason: string): Pod['status'] => ({
  conditions: [{ type: 'PodScheduled', status, reason }],
});

test.each<[string, Pod, boolean]>([
  ['new', makePod(), true],
  ['of the default scheduler', makePod({ schedulerName: 'default-scheduler' }), true],
  ['of another scheduler', makePod({ schedulerName: 'mine' }), false],
  ['assigned', makePod({}, {}, 'a'), false],
  ['ended', { ...makePod(), status: { phase: 'Failed' } }, false],
  ['being deleted', { ...makePod(), metadata: { name: 'p', deletionTimestamp: 't' } }, false],
])('a pod that is %s is pending: %s', (_, pod, expected) => expect(isPending(pod)).toBe(expected));

test.each<[string, Pod, boolean]>([
  ['that was not tried', makePod(), false],
  ['that fits no node', { ...makePod(), status: conditions('False', 'Unschedulable') }, true],
  ['with a gate', { ...makePod(), status: conditions('False', 'SchedulingGated') }, false],
  ['that was scheduled', { ...makePod(), status: conditions('True', '') }, false],
  ['that was assigned since', { ...makePod({}, {}, 'a'), status: conditions('False', 'Unschedulable') }, false],
])('a pod %s is unschedulable: %s', (_, pod, expected) => expect(isUnschedulable(pod)).toBe(expected));
