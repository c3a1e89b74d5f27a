import { expect, test } from '@jest/globals';
import { kind as Volumes } from '../../kinds/core/persistentvolume/kind.js';
import { kind as Claims } from '../../kinds/core/persistentvolumeclaim/kind.js';
import type { Kind } from '../../machinery/kind.js';
import { createRequest, objectOf, refusalOf } from '../testing.js';
import { plugin } from './plugin.js';

test.each<[string, Kind, string[] | undefined, string[]]>([
  ['a volume', Volumes, undefined, ['kubernetes.io/pv-protection']],
  ['a claim', Claims, undefined, ['kubernetes.io/pvc-protection']],
  ['a claim with a finalizer', Claims, ['x/y'], ['x/y', 'kubernetes.io/pvc-protection']],
  ['a protected claim', Claims, ['kubernetes.io/pvc-protection'], ['kubernetes.io/pvc-protection']],
])('%s', (_, kind, finalizers, expected) => {
  const object = objectOf(kind, { metadata: { finalizers } });
  expect(refusalOf(plugin, createRequest(kind, { object }))).toBeUndefined();
  expect(object.metadata.finalizers).toEqual(expected);
});

test('an update may remove the finalizer', () => {
  const object = objectOf(Claims);
  refusalOf(plugin, createRequest(Claims, { object, old: objectOf(Claims) }));
  expect(object.metadata.finalizers).toBeUndefined();
});
