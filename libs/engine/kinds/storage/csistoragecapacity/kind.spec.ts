import { expect, test } from '@jest/globals';
import { errorsOf, make, row } from '../../testing.js';
import { kind as CSIStorageCapacities } from './kind.js';

test('a CSIStorageCapacity prints when it was created', () =>
  expect(
    Object.keys(row(CSIStorageCapacities, make(CSIStorageCapacities, { storageClassName: 'fast', capacity: '1Gi' }))),
  ).toEqual(['Name', 'Created At']));

test('a CSIStorageCapacity has a quantity', () =>
  expect(errorsOf(CSIStorageCapacities, { storageClassName: 'fast', capacity: '-1' })).toEqual([
    'capacity: Invalid value: "-1": must be greater than or equal to 0',
  ]));
