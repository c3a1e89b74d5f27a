import { describe, expect, test } from '@jest/globals';
import { kind as LimitRanges } from '../../kinds/core/limitrange/kind.js';
import { kind as Claims } from '../../kinds/core/persistentvolumeclaim/kind.js';
import { kind as Pods } from '../../kinds/core/pod/kind.js';
import { objectOf } from '../testing.js';
import { validateClaim, validatePod } from './constraints.js';

const range = (item: object): ReturnType<typeof objectOf<never>> =>
  objectOf(LimitRanges, { spec: { limits: [item] } }) as never;
const container = (name: string, requests?: object, limits?: object): object => ({
  name,
  resources: { requests, limits },
});

describe('the containers of a pod', () => {
  test.each<[string, object, object[], string[]]>([
    ['within all limits', { min: { cpu: '1' }, max: { cpu: '2' } }, [container('a', { cpu: '1' }, { cpu: '2' })], []],
    [
      'with too small a request',
      { min: { memory: '100Mi' } },
      [container('a', { memory: '50Mi' })],
      ['minimum memory usage per Container is 100Mi, but request is 50Mi'],
    ],
    [
      'without a request',
      { min: { memory: '100Mi' } },
      [container('a')],
      ['minimum memory usage per Container is 100Mi.  No request is specified'],
    ],
    [
      'with too small a limit',
      { min: { cpu: '1' } },
      [container('a', { cpu: '1' }, { cpu: '500m' })],
      ['minimum cpu usage per Container is 1, but limit is 500m'],
    ],
    [
      'with too large a limit',
      { max: { cpu: '1' } },
      [container('a', { cpu: '1' }, { cpu: '1001m' })],
      ['maximum cpu usage per Container is 1, but limit is 1001m'],
    ],
    [
      'without a limit',
      { max: { cpu: '1' } },
      [container('a')],
      ['maximum cpu usage per Container is 1.  No limit is specified'],
    ],
    [
      'with too large a request',
      { max: { cpu: '1' } },
      [container('a', { cpu: '2' }, { cpu: '1' })],
      ['maximum cpu usage per Container is 1, but request is 2'],
    ],
    [
      'each for itself',
      { max: { cpu: '1' } },
      [container('a', {}, { cpu: '2' }), container('b', {}, { cpu: '3' })],
      ['maximum cpu usage per Container is 1, but limit is 2', 'maximum cpu usage per Container is 1, but limit is 3'],
    ],
    [
      'with too large a ratio',
      { maxLimitRequestRatio: { cpu: '2' } },
      [container('a', { cpu: '1' }, { cpu: '3' })],
      ['cpu max limit to request ratio per Container is 2, but provided ratio is 3.000000'],
    ],
    [
      'with too large a ratio of millicores',
      { maxLimitRequestRatio: { cpu: '2' } },
      [container('a', { cpu: '100m' }, { cpu: '250m' })],
      ['cpu max limit to request ratio per Container is 2, but provided ratio is 2.500000'],
    ],
    [
      'with the largest ratio',
      { maxLimitRequestRatio: { cpu: '1500m' } },
      [container('a', { cpu: '2' }, { cpu: '3' })],
      [],
    ],
    [
      'without a ratio',
      { maxLimitRequestRatio: { cpu: '2' } },
      [container('a', { cpu: '0' }, { cpu: '3' }), container('b', { cpu: '1' })],
      [
        'cpu max limit to request ratio per Container is 2, but no request is specified or request is 0',
        'cpu max limit to request ratio per Container is 2, but no limit is specified or limit is 0',
      ],
    ],
  ])('%s', (_, limit, containers, errors) =>
    expect(validatePod(objectOf(Pods, { spec: { containers } }), range({ type: 'Container', ...limit }))).toEqual(
      errors,
    ),
  );

  test('init containers are containers', () =>
    expect(
      validatePod(
        objectOf(Pods, { spec: { containers: [], initContainers: [container('i', {}, { cpu: '2' })] } }),
        range({ type: 'Container', max: { cpu: '1' } }),
      ),
    ).toEqual(['maximum cpu usage per Container is 1, but limit is 2']));
});

describe('a pod', () => {
  const two = [container('a', {}, { cpu: '600m' }), container('b', {}, { cpu: '600m' })];
  test.each<[string, object, string[]]>([
    ['is the sum of its containers', { containers: two }, ['maximum cpu usage per Pod is 1, but limit is 1200m']],
    [
      'is its largest init container, if that is more',
      { containers: two, initContainers: [container('i', {}, { cpu: '3' })] },
      ['maximum cpu usage per Pod is 1, but limit is 3'],
    ],
    [
      'does not add its init containers',
      { containers: [two[0]], initContainers: [container('i', {}, { cpu: '900m' })] },
      [],
    ],
  ])('%s', (_, spec, errors) =>
    expect(validatePod(objectOf(Pods, { spec }), range({ type: 'Pod', max: { cpu: '1' } }))).toEqual(errors),
  );
});

test.each<[object | undefined, string[]]>([
  [{ storage: '2Gi' }, []],
  [{ storage: '1Gi' }, ['minimum storage usage per PersistentVolumeClaim is 2Gi, but request is 1Gi']],
  [{ storage: '9Gi' }, ['maximum storage usage per PersistentVolumeClaim is 4Gi, but request is 9Gi']],
  [
    undefined,
    [
      'minimum storage usage per PersistentVolumeClaim is 2Gi.  No request is specified',
      'maximum storage usage per PersistentVolumeClaim is 4Gi.  No request is specified',
    ],
  ],
])('a claim of %j', (requests, errors) =>
  expect(
    validateClaim(
      objectOf(Claims, { spec: { resources: { requests } } }),
      range({ type: 'PersistentVolumeClaim', min: { storage: '2Gi' }, max: { storage: '4Gi' } }),
    ),
  ).toEqual(errors),
);
