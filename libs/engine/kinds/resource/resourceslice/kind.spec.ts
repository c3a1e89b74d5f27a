import { describe, expect, test } from '@jest/globals';
import { create, errorsOf } from '../../testing.js';
import { kind as Slices } from './kind.js';

test.each<[object, string[]]>([
  [{ driver: 'd.io', nodeName: 'n', pool: { name: 'p', resourceSliceCount: 1, generation: 0 } }, []],
  [
    { driver: 'd.io', pool: { name: 'p', resourceSliceCount: 0, generation: 0 } },
    [
      'spec.pool.resourceSliceCount: Invalid value: 0: must be greater than zero',
      'spec: Required value: exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required',
    ],
  ],
])('a ResourceSlice of %j', (spec, errors) => expect(errorsOf(Slices, { spec })).toEqual(errors));

describe('the devices of a ResourceSlice', () => {
  const slice = (device: object, more: object = { nodeName: 'n' }): Record<string, unknown> => ({
    spec: {
      driver: 'd.io',
      pool: { name: 'p', resourceSliceCount: 1, generation: 0 },
      ...more,
      devices: [{ name: 'd', ...device }],
    },
  });
  const shared = (requestPolicy: object): object => ({
    allowMultipleAllocations: true,
    capacity: { m: { value: '10', requestPolicy } },
  });
  test.each<[string, object, string[]]>([
    ['good', { attributes: { a: { int: 1 }, 'x.io/b': { strings: ['s'] } }, capacity: { m: { value: '1Gi' } } }, []],
    [
      'an attribute without a value',
      { attributes: { a: {} } },
      ['attributes[a]: Invalid value: "": exactly one value must be specified'],
    ],
    [
      'a version that is none',
      { attributes: { a: { version: '1.2' } } },
      ['attributes[a].version: Invalid value: "1.2": must be a string compatible with semver.org spec 2.0.0'],
    ],
    [
      'an empty list',
      { attributes: { a: { ints: [] } } },
      ['attributes[a].ints: Invalid value: []: must not be empty if specified'],
    ],
    [
      'an unknown taint',
      { taints: [{ key: 'k', effect: 'Never' }] },
      ['taints[0].effect: Unsupported value: "Never": supported values: "NoExecute", "NoSchedule", "None"'],
    ],
    [
      'a place of its own',
      { nodeName: 'n' },
      [
        ': Invalid value: null: `nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec',
      ],
    ],
    [
      'a policy of what is not shared',
      { capacity: { m: { value: '1', requestPolicy: {} } } },
      ['capacity[m].requestPolicy: Forbidden: allowMultipleAllocations must be true'],
    ],
    [
      'a step that misses the default',
      shared({ default: '4', validRange: { min: '1', step: '2' } }),
      [
        'capacity[m].requestPolicy.validRange.step: Invalid value: "4": value is not a multiple of a given step (2) from (1)',
      ],
    ],
    [
      'a default that cannot be chosen',
      shared({ default: '4', validValues: ['1', '2'] }),
      [
        'capacity[m].requestPolicy.validValues: Invalid value: "4": default value is not valid according to the requestPolicy',
      ],
    ],
    [
      'conditions without failures',
      { bindingConditions: ['a'] },
      ['bindingFailureConditions: Invalid value: null: bindingFailureConditions are required to use bindingConditions'],
    ],
  ])('%s', (_, device, errors) =>
    expect(errorsOf(Slices, slice(device)).map((e) => e.replace(/^spec\.devices\[0\]\.?/, ''))).toEqual(errors),
  );

  test('or shared counters', () =>
    expect(errorsOf(Slices, slice({}, { nodeName: 'n', sharedCounters: [{ name: 'c', counters: {} }] }))).toEqual([
      'spec: Invalid value: "": only one of `sharedCounters` or `devices` is allowed',
      'spec.sharedCounters[0].counters: Required value',
    ]));
  test('a taint gets its time', () =>
    expect(
      create(Slices, slice({ taints: [{ key: 'k', effect: 'None' }] })).spec.devices![0]!.taints![0]!.timeAdded,
    ).toMatch(/^\d{4}-.*Z$/));
});
