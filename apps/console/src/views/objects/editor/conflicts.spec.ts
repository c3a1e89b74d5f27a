import { expect, test } from '@jest/globals';
import { appliedOf, conflictsOf, objectsOf, withoutManaged } from './conflicts.js';

test('a conflict names who owns which field', () => {
  const causes = [
    { reason: 'FieldManagerConflict', message: 'conflict with "kubectl" using apps/v1', field: '.spec.replicas' },
    { reason: 'FieldValueInvalid', message: 'no', field: 'x' },
  ];
  expect(conflictsOf({ causes })).toEqual([{ manager: 'kubectl', field: '.spec.replicas' }]);
  expect([conflictsOf(undefined), conflictsOf({})]).toEqual([[], []]);
});

test('what the server fills in is left out', () => {
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', uid: 'u', resourceVersion: '5', managedFields: [{}], labels: { x: 'y' } },
    data: { k: 'v' },
    status: {},
  };
  expect(appliedOf(object)).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', labels: { x: 'y' } },
    data: { k: 'v' },
  });
  expect(withoutManaged(object).metadata).toEqual({ name: 'a', uid: 'u', resourceVersion: '5', labels: { x: 'y' } });
});

test('a text has several objects', () => {
  expect(objectsOf('kind: A\n---\n---\nkind: B\n').map(({ kind }) => kind)).toEqual(['A', 'B']);
  expect(() => objectsOf('a: [')).toThrow();
});
