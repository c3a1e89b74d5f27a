import { expect, test } from '@jest/globals';
import { isBuiltIn, proxyConnection, storageKey, streamConnection, type Kind } from './kind.js';

const deployments = { group: 'apps', plural: 'deployments' };

test.each([
  ['the core group', { group: '', plural: 'pods' }, 'pods'],
  ['another group', deployments, 'deployments.apps'],
  [
    'a version that is stored as another',
    { group: 'extensions', plural: 'deployments', storedAs: { kind: deployments as Kind } },
    'deployments.apps',
  ],
])('objects of %s are filed by resource and group', (_, kind, key) => expect(storageKey(kind)).toBe(key));

test.each([
  ['io.k8s.api.core.v1.Pod', true],
  ['com.example.v1.Widget', false],
])('%s is built in: %s', (definition, builtIn) => expect(isBuiltIn({ definition })).toBe(builtIn));

test('a proxy passes on every method, a stream is opened by POST or GET', () => {
  expect(proxyConnection('PodProxyOptions')).toEqual({
    kind: 'PodProxyOptions',
    verbs: ['create', 'delete', 'get', 'patch', 'update'],
  });
  expect(streamConnection('PodExecOptions').verbs).toEqual(['create', 'get']);
});
