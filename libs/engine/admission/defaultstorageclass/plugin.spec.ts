import { expect, test } from '@jest/globals';
import { kind as Claims } from '../../kinds/core/persistentvolumeclaim/kind.js';
import { kind as StorageClasses } from '../../kinds/storage/storageclass/kind.js';
import { createRequest, objectOf, refusalOf } from '../testing.js';
import { plugin } from './plugin.js';

const marked = (annotation: string): ReturnType<typeof objectOf> =>
  objectOf(StorageClasses, { metadata: { name: 'fast', annotations: { [annotation]: 'true' } } });
const DEFAULT = marked('storageclass.kubernetes.io/is-default-class');

test.each<[string, object, ReturnType<typeof objectOf>[], string | undefined]>([
  ['without a class', {}, [DEFAULT], 'fast'],
  ['without a class, with a beta annotation', {}, [marked('storageclass.beta.kubernetes.io/is-default-class')], 'fast'],
  ['without a class, where none is default', {}, [], undefined],
  ['of a class', { spec: { storageClassName: 'slow' } }, [DEFAULT], 'slow'],
  ['of no class', { spec: { storageClassName: '' } }, [DEFAULT], ''],
  [
    'of a class by annotation',
    { metadata: { annotations: { 'volume.beta.kubernetes.io/storage-class': 'x' } } },
    [DEFAULT],
    undefined,
  ],
])('a claim %s', (_, fields, stored, storageClassName) => {
  const claim = objectOf(Claims, fields);
  expect(refusalOf(plugin, createRequest(Claims, { object: claim }, stored))).toBeUndefined();
  expect(claim.spec.storageClassName).toBe(storageClassName);
});
