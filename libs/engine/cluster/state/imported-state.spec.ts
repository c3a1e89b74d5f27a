import { expect, test } from '@jest/globals';
import { ImportedState } from './imported-state.js';

const metadata = (more: object = {}): object => ({
  name: 'a',
  namespace: 'default',
  uid: 'u',
  resourceVersion: '3',
  ...more,
});
const configMap = (more: object = {}, resource = 'configmaps'): object => ({
  resource,
  object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: metadata(), data: { a: '1' }, ...more },
});
const shirt = {
  resource: 'shirts.example.com',
  object: { apiVersion: 'example.com/v1', kind: 'Shirt', metadata: metadata() },
};
const definition = {
  resource: 'customresourcedefinitions.apiextensions.k8s.io',
  object: {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'shirts.example.com', uid: 'u', resourceVersion: '3' },
    spec: { group: 'example.com', names: { kind: 'Shirt', plural: 'shirts' }, scope: 'Namespaced', versions: [] },
  },
};

test('takes objects of known kinds, and of the CRDs among them', () => {
  const state = new ImportedState(5, 1_000);
  for (const entry of [configMap(), shirt, definition]) state.add(entry);
  expect([state.size, state.count('configmaps')]).toEqual([3, 1]);
  expect(state.finish()).toMatchObject({ revision: 5, now: 1_000, objects: [configMap(), shirt, definition] });
});

test.each<[string, readonly unknown[], string]>([
  ['what is no entry', [7], 'no object'],
  ['an entry without an object', [{ resource: 'pods' }], 'no resource or no object'],
  ['a wrong type', [configMap({ data: 7 })], 'data'],
  ['another kind', [configMap({ kind: 'Secret' })], 'Secret'],
  ['no name', [configMap({ metadata: metadata({ name: '../x' }) })], 'is not named'],
  ['no namespace', [configMap({ metadata: metadata({ namespace: '' }) })], 'is not where'],
  ['no uid', [configMap({ metadata: metadata({ uid: undefined }) })], 'has no uid'],
  ['a version to come', [configMap({ metadata: metadata({ resourceVersion: '6' }) })], 'has no resourceVersion'],
  ['one place twice', [configMap(), configMap()], 'is there twice'],
  ['a kind that nobody knows', [shirt], 'no CustomResourceDefinition is of shirts.example.com'],
])('refuses %s', (_, entries, message) => {
  const state = new ImportedState(5, 1_000);
  const run = (): void => {
    for (const entry of entries) state.add(entry);
    state.finish();
  };
  expect(run).toThrow(expect.objectContaining({ code: 400, message: expect.stringContaining(message) }));
});
