import { describe, expect, test } from '@jest/globals';
import { kind as Deployments } from '../../kinds/apps/deployment/kind.js';
import { kind as ConfigMaps } from '../../kinds/core/configmap/kind.js';
import { kind as Namespaces } from '../../kinds/core/namespace/kind.js';
import { kind as Pods } from '../../kinds/core/pod/kind.js';
import { ANN, createRequest, objectOf, type RequestFields } from '../testing.js';
import type { Kind } from '../../machinery/kind.js';
import { chooseReviewVersion, createAdmissionReview } from './admission-review.js';

const review = (kind: Kind, fields: RequestFields, mutating = false): any =>
  (createAdmissionReview(createRequest(kind, fields), kind, 'v1', 'u', mutating) as { request: object }).request;
const DEPLOYMENT = objectOf(Deployments, { spec: { replicas: 1 } });

test('a review names the request', () =>
  expect(
    createAdmissionReview(createRequest(Deployments, { object: DEPLOYMENT, user: ANN }), Deployments, 'v1', 'u', false),
  ).toEqual({
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: {
      uid: 'u',
      kind: { group: 'apps', version: 'v1', kind: 'Deployment' },
      resource: { group: 'apps', version: 'v1', resource: 'deployments' },
      requestKind: { group: 'apps', version: 'v1', kind: 'Deployment' },
      requestResource: { group: 'apps', version: 'v1', resource: 'deployments' },
      name: 'a',
      namespace: 'default',
      operation: 'CREATE',
      userInfo: { username: 'ann', groups: ['system:authenticated'] },
      object: DEPLOYMENT,
      oldObject: null,
      dryRun: false,
      options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
    },
  }));

test.each<[string, RequestFields, object]>([
  [
    'a deletion',
    { old: DEPLOYMENT },
    { operation: 'DELETE', object: null, oldObject: DEPLOYMENT, options: { kind: 'DeleteOptions' } },
  ],
  ['an update', { object: DEPLOYMENT, old: DEPLOYMENT }, { operation: 'UPDATE', options: { kind: 'UpdateOptions' } }],
  [
    'a subresource',
    { object: DEPLOYMENT, subresource: 'status' },
    { subResource: 'status', requestSubResource: 'status' },
  ],
  [
    'options',
    { object: DEPLOYMENT, dryRun: true, operationOptions: { fieldManager: 'me' } },
    { dryRun: true, options: { fieldManager: 'me', dryRun: ['All'] } },
  ],
  [
    'more of a user',
    { object: DEPLOYMENT, user: { ...ANN, uid: '7', extra: { scope: ['x'] } } },
    { userInfo: { uid: '7', extra: { scope: ['x'] } } },
  ],
])('a review tells of %s', (_, fields, expected) => expect(review(Deployments, fields)).toMatchObject(expected));

test('a Namespace is in itself', () =>
  expect(review(Namespaces, { object: objectOf(Namespaces) })).toMatchObject({ name: 'a', namespace: 'a' }));

describe('an object that is created', () => {
  const metadata = { name: 'a-x7k2p', generateName: 'a-', uid: 'u', creationTimestamp: 't', generation: 1 };
  const object = objectOf(ConfigMaps, { metadata });
  test('has neither name nor uid before it is stored', () => {
    const { name, object: sent } = review(ConfigMaps, { object }, true);
    expect([name, sent.metadata]).toEqual([undefined, { generateName: 'a-', namespace: 'default' }]);
  });
  test('has them later', () => {
    const { name, object: sent } = review(ConfigMaps, { object });
    expect([name, sent.metadata]).toEqual(['a-x7k2p', { ...metadata, namespace: 'default' }]);
  });
});

test('a body is sent as it is, in its own type', () => {
  const bodyType = { group: '', version: 'v1', kind: 'Binding' };
  const object = objectOf(Pods, { target: { name: 'n1' } });
  expect(review(Pods, { object, bodyType, subresource: 'binding' })).toMatchObject({
    kind: bodyType,
    requestKind: bodyType,
    resource: { resource: 'pods' },
    object: { kind: 'Binding', apiVersion: 'v1', metadata: { name: 'a' }, target: { name: 'n1' } },
  });
});

test('the options of a connection have no metadata', () => {
  const bodyType = { group: '', version: 'v1', kind: 'PodExecOptions' };
  const object = { ...objectOf(Pods), command: ['ls'] };
  const sent = review(Pods, { object, bodyType, operation: 'CONNECT', subresource: 'exec' });
  expect([sent.object.metadata, sent.object.kind, sent.object.command, sent.options]).toEqual([
    undefined,
    'PodExecOptions',
    ['ls'],
    null,
  ]);
});

test('a view shows the object and the old one', () => {
  const type = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
  const view = { type, show: (object: any) => ({ kind: 'Scale', spec: { replicas: object.spec.replicas } }) };
  expect(review(Deployments, { object: DEPLOYMENT, old: DEPLOYMENT, view, subresource: 'scale' })).toMatchObject({
    kind: type,
    object: { kind: 'Scale', spec: { replicas: 1 } },
    oldObject: { kind: 'Scale', spec: { replicas: 1 } },
  });
});

test('another version of the kind is sent with its names', () => {
  const v2 = {
    ...ConfigMaps,
    version: 'v2',
    storedAs: { kind: ConfigMaps, toStorage: (o: any) => o, fromStorage: (o: any) => ({ ...o, data: { b: '2' } }) },
  };
  const request = createRequest(ConfigMaps, { object: objectOf(ConfigMaps) });
  expect(createAdmissionReview(request, v2 as Kind, 'v1', 'u', false)).toMatchObject({
    request: {
      kind: { version: 'v2' },
      requestKind: { version: 'v1' },
      object: { apiVersion: 'v2', kind: 'ConfigMap', data: { b: '2' } },
    },
  });
});

test.each<[string[], string | undefined]>([
  [['v1'], 'v1'],
  [['v2', 'v1beta1', 'v1'], 'v1beta1'],
  [['v2'], undefined],
])('of %j the version is %s', (accepted, version) => expect(chooseReviewVersion(accepted)).toBe(version));
