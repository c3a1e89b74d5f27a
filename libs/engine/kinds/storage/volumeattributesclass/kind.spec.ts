import { expect, test } from '@jest/globals';
import { errorsOf } from '../../testing.js';
import { kind as VolumeAttributesClasses } from './kind.js';

test('a VolumeAttributesClass has parameters', () =>
  expect(errorsOf(VolumeAttributesClasses, { driverName: 'd' })).toEqual([
    'parameters: Required value: must contain at least one key/value pair',
  ]));
