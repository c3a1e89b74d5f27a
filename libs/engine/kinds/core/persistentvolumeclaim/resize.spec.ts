import { expect, test } from '@jest/globals';
import type { PersistentVolumeClaimStatus } from '../../../api/core_v1.js';
import { isResize, resizedStatus } from './resize.js';

test.each([
  ['Resizing', true],
  ['FileSystemResizePending', true],
  ['ModifyingVolume', false],
])('the condition %s is of a resize: %s', (type, expected) => expect(isResize(type)).toBe(expected));

const condition = (type: string) => ({ type, status: 'True' });
const capacity = { storage: '2Gi' };
test.each<[string, PersistentVolumeClaimStatus, PersistentVolumeClaimStatus]>([
  ['the capacity is set', { phase: 'Bound', capacity: { storage: '1Gi' } }, { phase: 'Bound', capacity }],
  [
    'conditions of other kinds and statuses of other resources stay',
    {
      conditions: [condition('Resizing'), condition('ModifyingVolume'), condition('FileSystemResizePending')],
      allocatedResourceStatuses: { storage: 'NodeResizePending', other: 'ControllerResizeInProgress' },
    },
    {
      conditions: [condition('ModifyingVolume')],
      allocatedResourceStatuses: { other: 'ControllerResizeInProgress' },
      capacity,
    },
  ],
  [
    'what is empty then goes',
    { conditions: [condition('Resizing')], allocatedResourceStatuses: { storage: 'NodeResizePending' } },
    { capacity },
  ],
])('when the volume is larger, %s', (_, status, expected) => expect(resizedStatus(status, '2Gi')).toEqual(expected));
