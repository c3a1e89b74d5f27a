import { expect, test } from '@jest/globals';
import type { StorageClass } from '../api/storage_v1.js';
import { kind as StorageClasses } from '../kinds/storage/storageclass/kind.js';
import { findDefaultClass } from './default-class.js';
import { objectOf } from './testing.js';

const GA = 'storageclass.kubernetes.io/is-default-class';
const BETA = 'storageclass.beta.kubernetes.io/is-default-class';
const storageClass = (name: string, creationTimestamp: string, annotations?: object): StorageClass =>
  objectOf(StorageClasses, { metadata: { name, creationTimestamp, annotations } });

const OLD = '2026-01-01T00:00:00Z';
const NEW = '2026-01-02T00:00:00Z';
test.each<[string, StorageClass[], string | undefined]>([
  ['none without classes', [], undefined],
  ['none without a mark', [storageClass('a', OLD), storageClass('b', OLD, { [GA]: 'false' })], undefined],
  ['the marked one', [storageClass('a', NEW), storageClass('b', OLD, { [GA]: 'true' })], 'b'],
  ['one with the old mark', [storageClass('a', OLD, { [BETA]: 'true' })], 'a'],
  ['the newest of two', [storageClass('a', OLD, { [GA]: 'true' }), storageClass('b', NEW, { [GA]: 'true' })], 'b'],
  [
    'the first of two equally old',
    [storageClass('a', OLD, { [GA]: 'true' }), storageClass('b', OLD, { [GA]: 'true' })],
    'a',
  ],
])('%s', (_, classes, name) => expect(findDefaultClass(classes, [GA, BETA])?.metadata.name).toBe(name));
