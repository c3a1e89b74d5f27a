import { describe, expect, test } from '@jest/globals';
import { createService, serviceErrors, serviceUpdateErrors, type ServiceSpec } from './testing.js';

const ports = [{ port: 80 }];
const own = { ports, clusterIP: '10.96.0.9' };

test.each<[string, ServiceSpec, string[]]>([
  ['one', own, []],
  [
    'one that is none',
    { ports, clusterIP: 'x' },
    ['spec.clusterIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
  ],
  [
    'a list alone',
    { ports, clusterIPs: ['10.96.0.9'] },
    ['spec.clusterIPs: Invalid value: ["10.96.0.9"]: must be empty when `clusterIP` is not specified'],
  ],
  [
    'a list that begins with another',
    { ...own, clusterIPs: ['10.96.0.8'] },
    ['spec.clusterIPs: Invalid value: ["10.96.0.8"]: first value must match `clusterIP`'],
  ],
  [
    'two of one family',
    { ...own, clusterIPs: ['10.96.0.9', '10.96.0.8'] },
    ['spec.clusterIPs: Invalid value: ["10.96.0.9","10.96.0.8"]: may specify no more than one IP for each IP family'],
  ],
  [
    'none, and one',
    { ports, clusterIP: 'None', clusterIPs: ['None', '10.96.0.9'] },
    ['spec.clusterIPs: Invalid value: ["None","10.96.0.9"]: \'None\' must be the first and only value'],
  ],
  [
    'another family',
    { ...own, ipFamilies: ['IPv6'] },
    ['spec.clusterIPs[0]: Invalid value: "10.96.0.9": expected an IPv6 value as indicated by `ipFamilies[0]`'],
  ],
  ['a family twice', { ports, ipFamilies: ['IPv4', 'IPv4'] }, ['spec.ipFamilies[1]: Duplicate value: "IPv4"']],
  [
    'an unknown family',
    { ports, ipFamilies: ['IPv5'] },
    ['spec.ipFamilies[0]: Unsupported value: "IPv5": supported values: "IPv4", "IPv6"'],
  ],
  [
    'an unknown policy',
    { ports, ipFamilyPolicy: 'TripleStack' },
    [
      'spec.ipFamilyPolicy: Unsupported value: "TripleStack": supported values: "PreferDualStack", "RequireDualStack", "SingleStack"',
    ],
  ],
])('%s', (_, spec, errors) => expect(serviceErrors(spec)).toEqual(errors));

describe('an update', () => {
  const old = createService(own);
  const dual = createService({ ports, clusterIP: '10.96.0.9', ipFamilyPolicy: 'RequireDualStack' });
  test('of the address alone, by an older client', () =>
    expect(serviceUpdateErrors(old, { ...old.spec, clusterIP: '10.96.0.10' })).toEqual([
      'spec.clusterIPs[0]: Invalid value: ["10.96.0.10"]: may not change once set',
    ]));
  test('of address and list', () =>
    expect(serviceUpdateErrors(old, { ports, clusterIP: '10.96.0.10', clusterIPs: ['10.96.0.10'] })).toEqual([
      'spec.clusterIPs[0]: Invalid value: ["10.96.0.10"]: may not change once set',
    ]));
  test('that gains a family', () =>
    expect(serviceUpdateErrors(old, { ...old.spec, ipFamilyPolicy: 'PreferDualStack' })).toEqual([]));
  test('that loses a family', () =>
    expect(serviceUpdateErrors(dual, { ...dual.spec, ipFamilyPolicy: 'SingleStack' })).toEqual([]));
  test('to an external name', () =>
    expect(serviceUpdateErrors(old, { type: 'ExternalName', externalName: 'example.com' })).toEqual([]));
});
