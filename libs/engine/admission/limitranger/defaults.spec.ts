import { expect, test } from '@jest/globals';
import { kind as LimitRanges } from '../../kinds/core/limitrange/kind.js';
import { kind as Pods } from '../../kinds/core/pod/kind.js';
import { objectOf } from '../testing.js';
import { setDefaults } from './defaults.js';

const RANGE = objectOf(LimitRanges, {
  spec: {
    limits: [
      { type: 'Container', default: { cpu: '1', memory: '1Gi' }, defaultRequest: { cpu: '500m' } },
      { type: 'Pod', default: { cpu: '9' } },
    ],
  },
});

test.each<[string, object | undefined, object, string | undefined]>([
  [
    'nothing',
    undefined,
    { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m' } },
    'LimitRanger plugin set: cpu request for container app; cpu, memory limit for container app',
  ],
  [
    'a limit',
    { limits: { cpu: '2' } },
    { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '500m' } },
    'LimitRanger plugin set: cpu request for container app; memory limit for container app',
  ],
  [
    'everything',
    { limits: { cpu: '2', memory: '2Gi' }, requests: { cpu: '1' } },
    { limits: { cpu: '2', memory: '2Gi' }, requests: { cpu: '1' } },
    undefined,
  ],
])('a container that states %s', (_, resources, expected, note) => {
  const pod = objectOf(Pods, { spec: { containers: [{ name: 'app', resources }] } });
  expect(setDefaults(pod, RANGE)).toBe(note !== undefined);
  expect(pod.spec.containers[0]!.resources).toEqual(expected);
  expect(pod.metadata.annotations?.['kubernetes.io/limit-ranger']).toBe(note);
});

test('init containers get defaults, too', () => {
  const full = { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1' } };
  const pod = objectOf(Pods, {
    spec: { containers: [{ name: 'app', resources: full }], initContainers: [{ name: 'setup' }] },
  });
  expect(setDefaults(pod, RANGE)).toBe(true);
  expect(pod.metadata.annotations).toEqual({
    'kubernetes.io/limit-ranger':
      'LimitRanger plugin set: cpu request for init container setup; cpu, memory limit for init container setup',
  });
});

test('a range without defaults for containers changes nothing', () => {
  const pod = objectOf(Pods, { spec: { containers: [{ name: 'app' }] } });
  const { spec } = pod;
  const range = objectOf(LimitRanges, { spec: { limits: [{ type: 'Container', max: { cpu: '1' } }] } });
  expect([setDefaults(pod, range), pod.spec === spec]).toEqual([false, true]);
});
