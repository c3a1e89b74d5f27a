import { describe, expect, test } from '@jest/globals';
import type { LimitRange } from '../../api/core_v1.js';
import { kind as LimitRanges } from '../../kinds/core/limitrange/kind.js';
import { kind as Claims } from '../../kinds/core/persistentvolumeclaim/kind.js';
import { kind as Pods } from '../../kinds/core/pod/kind.js';
import { createRequest, objectOf, refusalOf } from '../testing.js';
import { plugin } from './plugin.js';

const range = (...limits: object[]): LimitRange => objectOf(LimitRanges, { spec: { limits } });
const pod = (resources?: object): ReturnType<typeof objectOf> =>
  objectOf(Pods, { spec: { containers: [{ name: 'app', resources }] } });

test('defaults are applied before constraints are checked, and the pod is validated again', () => {
  const limits = range({
    type: 'Container',
    default: { cpu: '1' },
    defaultRequest: { cpu: '500m' },
    max: { cpu: '1' },
  });
  const request = createRequest(Pods, { object: pod() }, [limits]);
  expect(refusalOf(plugin, request)).toBeUndefined();
  expect(request.object).toMatchObject({
    spec: { containers: [{ resources: { limits: { cpu: '1' }, requests: { cpu: '500m' } } }] },
  });
  expect(request.revalidations).toBe(1);
});

describe('a refusal', () => {
  const small = range({ type: 'Container', max: { cpu: '1', memory: '1Gi' } });
  test.each<[string, object, string]>([
    [
      'names the constraint',
      { limits: { cpu: '2', memory: '1Gi' } },
      'pods "a" is forbidden: maximum cpu usage per Container is 1, but limit is 2',
    ],
    [
      'lists several constraints',
      { limits: { cpu: '2' } },
      'pods "a" is forbidden: [maximum cpu usage per Container is 1, but limit is 2, maximum memory usage per Container is 1Gi.  No limit is specified]',
    ],
  ])('%s', (_, resources, message) =>
    expect(refusalOf(plugin, createRequest(Pods, { object: pod(resources) }, [small]))).toBe(message),
  );
});

test('claims are checked, too', () => {
  const object = objectOf(Claims, { spec: { resources: { requests: { storage: '1Gi' } } } });
  const limits = range({ type: 'PersistentVolumeClaim', min: { storage: '2Gi' } });
  expect(refusalOf(plugin, createRequest(Claims, { object }, [limits]))).toBe(
    'persistentvolumeclaims "a" is forbidden: minimum storage usage per PersistentVolumeClaim is 2Gi, but request is 1Gi',
  );
});

test.each([
  ['an update', { old: pod() }],
  ['a subresource', { subresource: 'binding' }],
])('%s is admitted', (_, fields) =>
  expect(
    refusalOf(
      plugin,
      createRequest(Pods, { object: pod(), ...fields }, [range({ type: 'Container', max: { cpu: '1' } })]),
    ),
  ).toBeUndefined(),
);

test('the ranges of other namespaces do not count', () => {
  const elsewhere = { ...range({ type: 'Container', max: { cpu: '1' } }), metadata: { name: 'a', namespace: 'other' } };
  expect(refusalOf(plugin, createRequest(Pods, { object: pod() }, [elsewhere]))).toBeUndefined();
});
