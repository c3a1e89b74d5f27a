import { expect, test } from '@jest/globals';
import { storageKey } from '../../../machinery/kind.js';
import { kind, type FileChange } from './kind.js';

test('a FileChange is stored, and served to nobody', () => {
  expect(kind.internal).toBe(true);
  expect(storageKey(kind)).toBe('filechanges.terrarium.dev');
});

test('FileChanges are found by their tree, and by whose end is its end', () => {
  const change = { tree: 'pod/u1/data', owner: 'u1' } as FileChange;
  expect(kind.indexes!['tree']!(change)).toEqual(['pod/u1/data']);
  expect(kind.indexes!['owner']!(change)).toEqual(['u1']);
});
