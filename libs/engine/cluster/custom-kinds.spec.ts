import { beforeEach, expect, test } from '@jest/globals';
import type { CustomResourceDefinition } from '../api/apiextensions_v1.js';
import { kinds } from '../kinds/index.js';
import { Registry } from '../runtime/registry.js';
import { State } from '../runtime/state/state.js';
import { serveCustomKinds } from './custom-kinds.js';

const RESOURCE = 'customresourcedefinitions.apiextensions.k8s.io';
const KEY = { namespace: '', name: 'frogs.x.io' };
const crd = (established: string, ...versions: string[]): CustomResourceDefinition => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: KEY.name },
  spec: {
    group: 'x.io',
    scope: 'Namespaced',
    names: { plural: 'frogs', singular: 'frog', kind: 'Frog', listKind: 'FrogList' },
    versions: versions.map((name, i) => ({
      name,
      served: true,
      storage: i === 0,
      schema: { openAPIV3Schema: { type: 'object' } },
    })),
  },
  status: {
    acceptedNames: { plural: 'frogs', singular: 'frog', kind: 'Frog', listKind: 'FrogList' },
    conditions: [{ type: 'Established', status: established }],
    storedVersions: [versions[0]!],
  },
});

let state: State;
let registry: Registry;
beforeEach(() => {
  state = new State();
  registry = new Registry(kinds);
  serveCustomKinds(state, registry, () => ({ message: 'no webhooks' }) as never);
});
const put = (object: CustomResourceDefinition): void => void state.put(RESOURCE, object, 'test', 0);
const served = (): string[] =>
  registry
    .all()
    .filter((k) => k.group === 'x.io')
    .map((k) => k.version);

test('a definition is served once it is established, in all its versions, until it is deleted', () => {
  put(crd('False', 'v1'));
  expect(served()).toEqual([]);
  put(crd('True', 'v1', 'v2'));
  expect(served()).toEqual(['v1', 'v2']);
  put(crd('True', 'v2'));
  expect(served()).toEqual(['v2']);
  state.remove(RESOURCE, KEY, 'test', 0);
  expect(served()).toEqual([]);
});

test('a rollback takes its kinds away', () => {
  const mark = state.mark();
  put(crd('True', 'v1'));
  state.rollback(mark);
  expect(served()).toEqual([]);
});
