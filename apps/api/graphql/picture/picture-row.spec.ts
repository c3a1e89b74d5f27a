import { expect, test } from '@jest/globals';
import type { KubeObject } from '@terrarium/engine';
import type { Row as ConsoleRow } from '../../../console/src/views/picture/model/row.js';
import { LabelList, pictureRow, type PictureRow } from './picture-row.js';

const object = (kind: string, fields: object, metadata: object = {}): KubeObject =>
  ({
    apiVersion: 'v1',
    kind,
    metadata: { name: 'web', namespace: 'shop', uid: 'u1', creationTimestamp: '2026-01-01T00:00:00Z', ...metadata },
    ...fields,
  }) as KubeObject;
const rowOf = (resource: string, one: KubeObject, told: object = {}) =>
  pictureRow({ resource, object: one }, new LabelList(), { revision: 7, ...told });

const POD = object(
  'Pod',
  {
    spec: {
      nodeName: 'worker-1',
      containers: [{ name: 'c', image: 'nginx', resources: { requests: { cpu: '250m', memory: '64Mi' } } }],
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }],
    },
    status: {
      phase: 'Running',
      podIP: '10.244.1.2',
      containerStatuses: [
        { name: 'c', ready: false, restartCount: 3, state: { waiting: { reason: 'CrashLoopBackOff' } } },
      ],
    },
  },
  { labels: { app: 'web' }, ownerReferences: [{ kind: 'ReplicaSet', name: 'web-1', uid: 'u0', controller: true }] },
);

test('a pod: what kubectl prints of it, where it is, what it asks for, its containers', () => {
  expect(rowOf('pods', POD)).toEqual({
    kind: 'Pod',
    namespace: 'shop',
    name: 'web',
    uid: 'u1',
    revision: 7,
    created: Date.UTC(2026, 0, 1),
    owner: { kind: 'ReplicaSet', name: 'web-1', uid: 'u0' },
    labels: 0,
    is: {
      status: 'CrashLoopBackOff',
      phase: 'Running',
      ready: 0,
      total: 1,
      restarts: 3,
      node: 'worker-1',
      cpu: 250,
      memory: 64 * 1024 * 1024,
      ip: '10.244.1.2',
      claims: ['data'],
      containers: [{ name: 'c', image: 'nginx', state: 'CrashLoopBackOff', restarts: 3 }],
    },
  });
});

test.each<[string, KubeObject, object]>([
  [
    'nodes',
    object('Node', {
      spec: { unschedulable: true, taints: [{ key: 'gpu', effect: 'NoSchedule' }] },
      status: {
        allocatable: { cpu: '4', memory: '8Gi', pods: '110' },
        conditions: [
          { type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown' },
          { type: 'DiskPressure', status: 'True' },
        ],
      },
    }),
    {
      ...{ status: 'NotReady', reason: 'NodeStatusUnknown', pressure: ['DiskPressure'], cordoned: true },
      ...{ taints: ['gpu:NoSchedule'], cpu: 4_000, memory: 8 * 1024 ** 3, pods: 110 },
    },
  ],
  [
    'endpointslices.discovery.k8s.io',
    object(
      'EndpointSlice',
      {
        endpoints: [
          { targetRef: { kind: 'Pod', name: 'a' }, conditions: { ready: true } },
          { targetRef: { kind: 'Pod', name: 'b' }, conditions: { ready: false } },
          { addresses: ['1.2.3.4'] },
        ],
      },
      { labels: { 'kubernetes.io/service-name': 'web' } },
    ),
    { service: 'web', ready: ['a'], unready: ['b'] },
  ],
  [
    'persistentvolumes',
    object('PersistentVolume', {
      spec: { claimRef: { namespace: 'shop', name: 'data' }, capacity: { storage: '1Gi' } },
      status: { phase: 'Bound' },
    }),
    { status: 'Bound', claim: 'shop/data', size: '1Gi' },
  ],
  [
    'ingresses.networking.k8s.io',
    object('Ingress', {
      spec: { rules: [{ host: 'a.b', http: { paths: [{ backend: { service: { name: 'web' } } }] } }, {}] },
    }),
    { hosts: ['a.b'], services: ['web'] },
  ],
  ['deployments.apps', object('Deployment', { spec: { replicas: 3 } }), { want: 3, ready: 0 }],
  ['faults.terrarium.dev', object('Fault', { spec: { type: 'NodeDown' } }), { type: 'NodeDown', status: 'Pending' }],
])('facts of %s', (resource, one, facts) => {
  expect(rowOf(resource, one)?.is).toEqual(facts);
});

test('an object with nothing but its name has a row in every kind', () => {
  const bare = { apiVersion: 'v1', kind: 'Any', metadata: { name: 'a' } } as KubeObject;
  for (const resource of ['nodes', 'services', 'endpointslices.discovery.k8s.io', 'jobs.batch', 'persistentvolumes'])
    expect(rowOf(resource, bare)).toMatchObject({ name: 'a', created: 0 });
});

test('what is gone has no facts; what no picture shows has no row', () => {
  expect(rowOf('pods', POD, { gone: true, by: ['jane'], cause: 3 })).toMatchObject({
    gone: true,
    by: ['jane'],
    is: {},
  });
  expect(rowOf('secrets', object('Secret', { data: { a: 'c2VjcmV0' } }))).toBeUndefined();
});

test('equal labels are written once', () => {
  const labels = new LabelList();
  const all: (Record<string, string> | undefined)[] = [{ a: '1' }, { b: '2' }, { a: '1' }, undefined];
  expect(all.map((one) => labels.placeOf(one))).toEqual([0, 1, 0, undefined]);
  expect(labels.list).toEqual([{ a: '1' }, { b: '2' }]);
});

test('the console knows the row as it is told: a field more or less on either side is an error of types', () => {
  type Told = Required<Omit<PictureRow, 'is'>>;
  type Known = Required<Omit<ConsoleRow, 'is'>>;
  const fields: Record<keyof Told & keyof Known, true> & Record<keyof Told | keyof Known, true> = {
    ...{ kind: true, namespace: true, name: true, uid: true, revision: true, created: true, owner: true },
    ...{ labels: true, ending: true, gone: true, by: true, cause: true },
  };
  const asKnown = (row: Told): Known => row;
  expect([Object.keys(fields).length, typeof asKnown]).toEqual([12, 'function']);
});
