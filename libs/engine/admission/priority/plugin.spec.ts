import { describe, expect, test } from '@jest/globals';
import { kind as Pods } from '../../kinds/core/pod/kind.js';
import { kind as PriorityClasses } from '../../kinds/scheduling/priorityclass/kind.js';
import { createRequest, objectOf, refusalOf } from '../testing.js';
import { plugin } from './plugin.js';

const priorityClass = (name: string, value: number, fields: object = {}): ReturnType<typeof objectOf> =>
  objectOf(PriorityClasses, { metadata: { name }, value, ...fields });
const HIGH = priorityClass('high', 1000);
const LAZY = priorityClass('lazy', 10, { preemptionPolicy: 'Never' });
const DEFAULT = priorityClass('usual', 5, { globalDefault: true });

describe('a new pod', () => {
  test.each<[string, object, ReturnType<typeof objectOf>[], object]>([
    ['without a class', {}, [HIGH], { priority: 0, preemptionPolicy: 'PreemptLowerPriority' }],
    [
      'of a class',
      { priorityClassName: 'high' },
      [HIGH, DEFAULT],
      { priorityClassName: 'high', priority: 1000, preemptionPolicy: 'PreemptLowerPriority' },
    ],
    [
      'of a class with a policy',
      { priorityClassName: 'lazy' },
      [LAZY],
      { priorityClassName: 'lazy', priority: 10, preemptionPolicy: 'Never' },
    ],
    [
      'without a class, where one is default',
      {},
      [HIGH, DEFAULT],
      { priorityClassName: 'usual', priority: 5, preemptionPolicy: 'PreemptLowerPriority' },
    ],
    [
      'without a class, where two are default',
      {},
      [DEFAULT, priorityClass('least', 2, { globalDefault: true })],
      { priorityClassName: 'least', priority: 2, preemptionPolicy: 'PreemptLowerPriority' },
    ],
    [
      'that states what its class says',
      { priorityClassName: 'high', priority: 1000, preemptionPolicy: 'PreemptLowerPriority' },
      [HIGH],
      { priorityClassName: 'high', priority: 1000, preemptionPolicy: 'PreemptLowerPriority' },
    ],
  ])('%s', (_, spec, stored, expected) => {
    const pod = objectOf(Pods, { spec });
    expect(refusalOf(plugin, createRequest(Pods, { object: pod }, stored))).toBeUndefined();
    expect(pod.spec).toEqual(expected);
  });

  test.each<[string, object, string]>([
    ['of an unknown class', { priorityClassName: 'none' }, 'no PriorityClass with name none was found'],
    [
      'with a priority of its own',
      { priorityClassName: 'high', priority: 7 },
      'the integer value of priority (7) must not be provided in pod spec; priority admission controller computed 1000 from the given PriorityClass name',
    ],
    [
      'with a policy of its own',
      { priorityClassName: 'high', preemptionPolicy: 'Never' },
      'the string value of PreemptionPolicy (Never) must not be provided in pod spec; priority admission controller computed PreemptLowerPriority from the given PriorityClass name',
    ],
  ])('%s is refused', (_, spec, why) =>
    expect(refusalOf(plugin, createRequest(Pods, { object: objectOf(Pods, { spec }) }, [HIGH]))).toBe(
      `pods "a" is forbidden: ${why}`,
    ),
  );
});

test.each<[string, object, object]>([
  ['leaves the priority out', {}, { priority: 1000, preemptionPolicy: 'Never' }],
  ['states another', { priority: 1 }, { priority: 1, preemptionPolicy: 'Never' }],
])('an update that %s', (_, spec, expected) => {
  const [object, old] = [
    objectOf(Pods, { spec }),
    objectOf(Pods, { spec: { priority: 1000, preemptionPolicy: 'Never' } }),
  ];
  expect(refusalOf(plugin, createRequest(Pods, { object, old }))).toBeUndefined();
  expect(object.spec).toEqual(expected);
});

test.each<[string, object, string | undefined]>([
  [
    'a second default',
    { globalDefault: true },
    'priorityclasses.scheduling.k8s.io "new" is forbidden: PriorityClass usual is already marked as default. Only one default can exist',
  ],
  ['another class', {}, undefined],
])('%s', (_, fields, message) =>
  expect(
    refusalOf(plugin, createRequest(PriorityClasses, { object: priorityClass('new', 1, fields) }, [DEFAULT])),
  ).toBe(message),
);
test('the default class may be updated', () =>
  expect(
    refusalOf(plugin, createRequest(PriorityClasses, { object: DEFAULT, old: DEFAULT }, [DEFAULT])),
  ).toBeUndefined());
