import { expect, test } from '@jest/globals';
import { AGE, errorsOf, make, row } from '../../testing.js';
import { kind as Leases } from './kind.js';

test.each<[object, string[]]>([
  [{ leaseDurationSeconds: 0 }, ['spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0']],
  [{ leaseTransitions: -1 }, ['spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0']],
  [{ holderIdentity: 'n', leaseDurationSeconds: 40 }, []],
])('a Lease of %j', (spec, errors) => expect(errorsOf(Leases, { spec })).toEqual(errors));
test('a Lease prints its holder', () =>
  expect(row(Leases, make(Leases, { spec: { holderIdentity: 'n' } }))).toEqual({ Name: 'a', Holder: 'n', Age: AGE }));
