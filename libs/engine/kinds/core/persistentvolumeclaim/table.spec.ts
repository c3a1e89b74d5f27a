import { expect, test } from '@jest/globals';
import { make } from '../../testing.js';
import { kind } from './kind.js';
import { accessModesText, storageClassOf } from './table.js';

test.each<[string[] | undefined, string]>([
  [undefined, ''],
  [['ReadWriteMany', 'ReadOnlyMany', 'ReadWriteOnce'], 'RWO,ROX,RWX'],
  [['ReadWriteOncePod'], 'RWOP'],
])('the access modes %j are %j', (modes, text) => expect(accessModesText(modes)).toBe(text));

test.each<[object, string]>([
  [{}, ''],
  [{ spec: { storageClassName: 'fast' } }, 'fast'],
  [
    {
      metadata: { annotations: { 'volume.beta.kubernetes.io/storage-class': 'old' } },
      spec: { storageClassName: 'fast' },
    },
    'old',
  ],
])('the class of %j is %j', (fields, name) =>
  expect(storageClassOf(make(kind, fields as Record<string, unknown>))).toBe(name),
);
