import { describe, expect, test } from '@jest/globals';
import { kind as ConfigMaps } from '../../kinds/core/configmap/kind.js';
import { kind as Namespaces } from '../../kinds/core/namespace/kind.js';
import { kind as Nodes } from '../../kinds/core/node/kind.js';
import { admit, createRequest, objectOf, refusalOf } from '../testing.js';
import { plugin } from './plugin.js';

const namespace = (name: string, phase = 'Active'): ReturnType<typeof objectOf> =>
  objectOf(Namespaces, { metadata: { name }, status: { phase } });
const STORED = [namespace('default'), namespace('ending', 'Terminating')];
const configMap = (name: string): ReturnType<typeof objectOf> =>
  objectOf(ConfigMaps, { metadata: { namespace: name } });

describe('an object', () => {
  test.each([
    ['in a namespace', 'default', undefined],
    ['without a namespace', 'none', 'namespaces "none" not found'],
    [
      'in a namespace that terminates',
      'ending',
      'configmaps "a" is forbidden: unable to create new content in namespace ending because it is being terminated',
    ],
  ])('is created %s', (_, name, message) =>
    expect(refusalOf(plugin, createRequest(ConfigMaps, { object: configMap(name) }, STORED))).toBe(message),
  );

  test('is told the cause', () =>
    expect(admit(plugin, createRequest(ConfigMaps, { object: configMap('ending') }, STORED))).toMatchObject({
      code: 403,
      details: {
        causes: [
          {
            reason: 'NamespaceTerminating',
            message: 'namespace ending is being terminated',
            field: 'metadata.namespace',
          },
        ],
      },
    }));

  test.each([
    ['updated', { object: configMap('ending'), old: configMap('ending') }],
    ['deleted', { old: configMap('ending') }],
  ])('may still be %s in a namespace that terminates', (_, fields) =>
    expect(refusalOf(plugin, createRequest(ConfigMaps, fields, STORED))).toBeUndefined(),
  );

  test('of a cluster-scoped kind needs no namespace', () =>
    expect(refusalOf(plugin, createRequest(Nodes, { object: objectOf(Nodes) }))).toBeUndefined());
});

test.each([
  ['default', 'namespaces "default" is forbidden: this namespace may not be deleted'],
  ['kube-system', 'namespaces "kube-system" is forbidden: this namespace may not be deleted'],
  ['kube-public', 'namespaces "kube-public" is forbidden: this namespace may not be deleted'],
  ['kube-node-lease', undefined],
  ['mine', undefined],
])('the deletion of namespace %s', (name, message) =>
  expect(refusalOf(plugin, createRequest(Namespaces, { old: namespace(name) }))).toBe(message),
);
