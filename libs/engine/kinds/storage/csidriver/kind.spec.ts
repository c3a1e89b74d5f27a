import { describe, expect, test } from '@jest/globals';
import { AGE, create, errorsOf, row, updateErrors } from '../../testing.js';
import { kind as CSIDrivers } from './kind.js';

describe('a CSIDriver', () => {
  test('defaults and prints', () =>
    expect(
      row(
        CSIDrivers,
        create(CSIDrivers, { spec: { attachRequired: false, tokenRequests: [{ audience: 'x' }, { audience: 'y' }] } }),
      ),
    ).toEqual({
      Name: 'a',
      AttachRequired: false,
      PodInfoOnMount: false,
      StorageCapacity: false,
      TokenRequests: 'x,y',
      RequiresRepublish: false,
      Modes: 'Persistent',
      Age: AGE,
    }));

  test.each<[object, string[]]>([
    [
      { fsGroupPolicy: 'Some' },
      ['spec.fsGroupPolicy: Unsupported value: "Some": supported values: "File", "None", "ReadWriteOnceWithFSType"'],
    ],
    [
      { tokenRequests: [{ audience: 'x' }, { audience: 'x', expirationSeconds: 5 }] },
      ['spec.tokenRequests[1].audience: Duplicate value: "x"'],
    ],
    [
      { tokenRequests: [{ audience: 'x', expirationSeconds: 5 }] },
      ['spec.tokenRequests[0].expirationSeconds: Invalid value: 5: may not specify a duration less than 10 minutes'],
    ],
    [
      { serviceAccountTokenInSecrets: true },
      [
        'spec.serviceAccountTokenInSecrets: Invalid value: true: serviceAccountTokenInSecrets is set but no tokenRequests are specified',
      ],
    ],
  ])('of %j', (spec, errors) => expect(errorsOf(CSIDrivers, { spec })).toEqual(errors));

  test('cannot change how volumes are attached', () =>
    expect(updateErrors(CSIDrivers, { spec: {} }, { spec: { attachRequired: false } })).toEqual([
      'spec.attachedRequired: Invalid value: false: field is immutable',
    ]));
});
