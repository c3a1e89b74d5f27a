import { expect, test } from '@jest/globals';
import { etcdKey } from './etcd-key.js';
import type { Kind } from './kind.js';

test.each([
  [{ group: '', plural: 'secrets' }, { namespace: 'a', name: 'b' }, '/registry/secrets/a/b'],
  [{ group: '', plural: 'nodes' }, { name: 'b' }, '/registry/minions/b'],
  [{ group: '', plural: 'services' }, { namespace: 'a', name: 'b' }, '/registry/services/specs/a/b'],
  [
    { group: 'apiextensions.k8s.io', plural: 'customresourcedefinitions' },
    { name: 'b' },
    '/registry/apiextensions.k8s.io/customresourcedefinitions/b',
  ],
  [
    { group: 'example.com', plural: 'tabs', definition: '' },
    { namespace: 'a', name: 'b' },
    '/registry/example.com/tabs/a/b',
  ],
])('%j %j is kept under %s', (kind, metadata, key) => {
  expect(etcdKey({ definition: 'io.k8s.', ...kind } as Kind, { metadata } as never)).toBe(key);
});
