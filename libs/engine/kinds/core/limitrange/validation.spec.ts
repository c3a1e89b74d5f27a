import { expect, test } from '@jest/globals';
import { errorsOf } from '../../testing.js';
import { kind } from './kind.js';

test.each<[string, object[], string[]]>([
  [
    'one of each type',
    [{ type: 'Container' }, { type: 'Pod' }, { type: 'PersistentVolumeClaim', max: { storage: '1Gi' } }],
    [],
  ],
  ['a type of its own', [{ type: 'example.com/Thing' }], []],
  [
    'an unknown type',
    [{ type: 'Thing' }],
    ['spec.limits[0].type: Invalid value: "Thing": must be a standard limit type or fully qualified'],
  ],
  ['a type twice', [{ type: 'Pod' }, { type: 'Pod' }], ['spec.limits[1].type: Duplicate value: "Pod"']],
  [
    'a resource that containers do not have',
    [{ type: 'Container', max: { storage: '1Gi' }, default: {}, defaultRequest: {} }],
    ['max', 'default', 'defaultRequest'].map(
      (field) =>
        `spec.limits[0].${field}[storage]: Invalid value: "storage": must be a standard resource for containers`,
    ),
  ],
  [
    'defaults of pods',
    [{ type: 'Pod', default: { 'bad key': '1' }, defaultRequest: { cpu: '1' } }],
    [
      "spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'",
      "spec.limits[0].defaultRequest: Forbidden: may not be specified when `type` is 'Pod'",
    ],
  ],
  [
    'claims without storage',
    [{ type: 'PersistentVolumeClaim' }],
    [
      'spec.limits[0].limits: Required value: either minimum or maximum storage value is required, but neither was provided',
    ],
  ],
  [
    'min over max',
    [{ type: 'Pod', min: { cpu: '2' }, max: { cpu: '1' } }],
    ['spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1'],
  ],
  [
    'a default over max',
    [{ type: 'Container', max: { cpu: '1' }, default: { cpu: '2' }, defaultRequest: { cpu: '1' } }],
    ['spec.limits[0].default[cpu]: Invalid value: "1": default value 2 is greater than max value 1'],
  ],
  [
    'a default request over the default',
    [{ type: 'Container', default: { cpu: '1' }, defaultRequest: { cpu: '2' } }],
    [
      'spec.limits[0].defaultRequest[cpu]: Invalid value: "2": default request value 2 is greater than default limit value 1',
    ],
  ],
  [
    'a ratio that max and min cannot reach',
    [{ type: 'Container', min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '5' } }],
    ['spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "5": ratio 5 is greater than max/min = 2.000000'],
  ],
  [
    'a ratio under 1',
    [{ type: 'Pod', maxLimitRequestRatio: { cpu: '500m' } }],
    ['spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "500m": ratio 500m is less than 1'],
  ],
  [
    'an extended resource with two defaults',
    [{ type: 'Container', default: { 'example.com/gpu': '2' }, defaultRequest: { 'example.com/gpu': '1' } }],
    [
      'spec.limits[0].defaultRequest[example.com/gpu]: Invalid value: "1": default value 2 must equal to defaultRequest value 1 in example.com/gpu',
    ],
  ],
])('%s', (_, limits, errors) => expect(errorsOf(kind, { spec: { limits } })).toEqual(errors));
