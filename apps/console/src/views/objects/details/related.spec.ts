import { expect, test } from '@jest/globals';
import type { KubeObject } from '../../../kube/object.js';
import type { Resource } from '../../../kube/resource.js';
import { namedBy, selectorText, tablesOf } from './related.js';

const served = (apiVersion: string, kind: string, resource: string, namespaced = true): Resource => ({
  group: apiVersion.includes('/') ? apiVersion.split('/')[0]! : '',
  version: 'v1',
  apiVersion,
  kind,
  resource,
  singular: '',
  namespaced,
  verbs: [],
  shortNames: [],
  categories: [],
  subresources: [],
  preferred: true,
});
const RESOURCES = [
  served('v1', 'Pod', 'pods'),
  served('v1', 'ConfigMap', 'configmaps'),
  served('v1', 'Secret', 'secrets'),
  served('v1', 'PersistentVolumeClaim', 'persistentvolumeclaims'),
  served('v1', 'Node', 'nodes', false),
  served('v1', 'ServiceAccount', 'serviceaccounts'),
  served('apps/v1', 'ReplicaSet', 'replicasets'),
  served('apps/v1', 'Deployment', 'deployments'),
  served('discovery.k8s.io/v1', 'EndpointSlice', 'endpointslices'),
];
const make = (kind: string, spec: object, more: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: 'web', namespace: 'a', ...more },
  spec,
});

test('a pod names its owner, what it mounts and uses, and its node', () => {
  const pod = make(
    'Pod',
    {
      nodeName: 'n1',
      serviceAccountName: 'default',
      volumes: [
        { persistentVolumeClaim: { claimName: 'data' } },
        { configMap: { name: 'c' } },
        { projected: { sources: [{ secret: { name: 's' } }] } },
        { emptyDir: {} },
      ],
      containers: [
        { envFrom: [{ configMapRef: { name: 'c' } }], env: [{ valueFrom: { secretKeyRef: { name: 'k' } } }] },
      ],
    },
    { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-1', uid: 'u' }] },
  );
  expect(namedBy(pod, RESOURCES).map((o) => [o.relation, o.resource, o.namespace, o.name].join(' '))).toEqual([
    'owner replicasets.apps a web-1',
    'mounts persistentvolumeclaims a data',
    'uses configmaps a c',
    'mounts secrets a s',
    'uses secrets a k',
    'node nodes  n1',
    'uses serviceaccounts a default',
  ]);
});

test('what the cluster does not serve has no link', () => {
  const owned = make('X', {}, { ownerReferences: [{ apiVersion: 'x/v1', kind: 'Gone', name: 'g', uid: 'u' }] });
  expect(namedBy(owned, RESOURCES)).toMatchObject([{ kind: 'Gone', resource: undefined }]);
});

test.each<[string, object, string[]]>([
  ['Deployment', { selector: { matchLabels: { app: 'web' } } }, ['owned replicasets app=web', 'selected pods app=web']],
  [
    'Service',
    { selector: { app: 'web' } },
    ['endpoints endpointslices kubernetes.io/service-name=web', 'selected pods app=web'],
  ],
  ['Service', {}, ['endpoints endpointslices kubernetes.io/service-name=web']],
  ['Node', {}, ['pods pods spec.nodeName=web']],
  ['ConfigMap', {}, []],
])('a %s with %j is related to %j', (kind, spec, tables) =>
  expect(
    tablesOf(make(kind, spec), RESOURCES).map(
      (t) => `${t.relation} ${t.resource.resource} ${t.labelSelector ?? t.fieldSelector ?? t.prefix}`,
    ),
  ).toEqual(tables),
);

test('selectors as kubectl takes them', () => {
  const matchExpressions = [
    { key: 'a', operator: 'In', values: ['x', 'y'] },
    { key: 'b', operator: 'DoesNotExist' },
    { key: 'c', operator: 'Exists' },
    { key: 'd', operator: 'NotIn', values: ['z'] },
  ];
  expect(selectorText({ matchLabels: { app: 'web' }, matchExpressions })).toBe('app=web,a in (x,y),!b,c,d notin (z)');
  expect([selectorText({ app: 'rc' }), selectorText(undefined)]).toEqual(['app=rc', '']);
});
