import { describe, expect, test } from '@jest/globals';
import { kind as ConfigMaps } from '../../kinds/core/configmap/kind.js';
import { kind as Nodes } from '../../kinds/core/node/kind.js';
import { kind as Pods } from '../../kinds/core/pod/kind.js';
import type { Kind } from '../../machinery/kind.js';
import { createRequest, objectOf } from '../testing.js';
import { collectParams, ConfigurationError } from './params.js';

const configMap = (name: string, namespace: string, labels?: object): ReturnType<typeof objectOf> =>
  objectOf(ConfigMaps, { metadata: { name, namespace, labels } });
const STORED = [
  configMap('limits', 'default', { of: 'replicas' }),
  configMap('more', 'default', { of: 'replicas' }),
  configMap('limits', 'other'),
  objectOf(Nodes, { metadata: { name: 'n1' } }),
];
const CONFIGMAP = { apiVersion: 'v1', kind: 'ConfigMap' };
const NODE = { apiVersion: 'v1', kind: 'Node' };
const collect = (paramKind: object | undefined, ref: object | undefined, kind: Kind = Pods): string[] =>
  collectParams(paramKind, ref, createRequest(kind, { object: objectOf(kind) }, STORED)).map(
    (o) => o && [o.metadata.namespace, o.metadata.name].filter(Boolean).join('/'),
  ) as string[];

test.each<[string, object | undefined, object | undefined, unknown[]]>([
  ['by name', CONFIGMAP, { name: 'limits' }, ['default/limits']],
  ['by labels', CONFIGMAP, { selector: { matchLabels: { of: 'replicas' } } }, ['default/limits', 'default/more']],
  ['of a namespace', CONFIGMAP, { name: 'limits', namespace: 'other' }, ['other/limits']],
  ['of a cluster-scoped kind', NODE, { name: 'n1' }, ['n1']],
  ['that do not exist', CONFIGMAP, { name: 'none', parameterNotFoundAction: 'Allow' }, []],
  ['of a policy without', undefined, { name: 'limits' }, [null]],
  ['of a binding without', CONFIGMAP, undefined, [null]],
])('parameters %s', (_, paramKind, ref, found) => expect(collect(paramKind, ref)).toEqual(found));

describe('a binding cannot be configured', () => {
  test.each<[string, object, object, Kind, string]>([
    [
      'to a kind that is not served',
      { apiVersion: 'x.io/v1', kind: 'Limit' },
      { name: 'a' },
      Pods,
      "failed to find resource referenced by paramKind: 'x.io/v1, Kind=Limit'",
    ],
    [
      'to parameters that do not exist',
      CONFIGMAP,
      { name: 'none', parameterNotFoundAction: 'Deny' },
      Pods,
      'no params found for policy binding with `Deny` parameterNotFoundAction',
    ],
    [
      'to a namespace of a cluster-scoped kind',
      NODE,
      { name: 'n1', namespace: 'default' },
      Pods,
      'paramRef.namespace must not be provided for a cluster-scoped `paramKind`',
    ],
    [
      "to the object's namespace where it has none",
      CONFIGMAP,
      { name: 'limits' },
      Nodes,
      'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
    ],
  ])('%s', (_, paramKind, ref, kind, message) =>
    expect(() => collect(paramKind, ref, kind)).toThrow(new ConfigurationError(message)),
  );
});
