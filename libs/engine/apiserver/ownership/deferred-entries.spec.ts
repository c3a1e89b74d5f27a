import { describe, expect, it } from '@jest/globals';
import type { ManagedFieldsEntry } from '../../api/meta_v1.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { hasDeferred } from '../../runtime/managed-fields.js';
import { componentOptions } from '../registry/write-options.js';
import { TestServer } from '../testing.js';

const PODS = '/api/v1/namespaces/default/pods';
const KEY = { namespace: 'default', name: 'p' };
const CONTROLLER = 'system:serviceaccount:kube-system:replicaset-controller';
const OWNER = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  name: 'web',
  uid: 'u-1',
  controller: true,
  blockOwnerDeletion: true,
};

const as = (server: TestServer, name: string) =>
  server.server.writer.client(componentOptions({ user: { name, groups: [] }, cause: 0 }, false));
const podKind = (server: TestServer) => server.registry.kindFor('v1', 'Pod')!;
const stored = (server: TestServer): KubeObject & { status: Record<string, unknown> } => server.object('pods', KEY);
const shown = (server: TestServer): ManagedFieldsEntry[] => server.get(`${PODS}/p`).body.metadata.managedFields;
const fieldsOf = (server: TestServer, manager: string): unknown =>
  shown(server).find((e) => e.manager === manager)?.fieldsV1;
const podOf = (spec: object, metadata: object = {}): never =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'default', labels: { app: 'web' }, ownerReferences: [OWNER], ...metadata },
    spec: { containers: [{ name: 'app', image: 'nginx' }], ...spec },
  }) as never;

const PLAIN: Record<string, [spec: object, metadata?: object]> = {
  'a plain pod': [{}],
  'tolerations of its own': [{ tolerations: [{ key: 'a', operator: 'Exists' }] }],
  'an account of its own': [{ serviceAccountName: 'own', serviceAccount: 'own' }],
  'volumes and mounts': [
    {
      volumes: [{ name: 'v', emptyDir: {} }],
      containers: [{ name: 'app', image: 'nginx', volumeMounts: [{ name: 'v', mountPath: '/v' }] }],
    },
  ],
  'containers that initialize': [{ initContainers: [{ name: 'i', image: 'busybox' }] }],
  'ports, probes and resources': [
    {
      containers: [
        {
          name: 'app',
          image: 'nginx',
          ports: [{ containerPort: 80 }],
          resources: { limits: { cpu: '1' } },
          readinessProbe: { httpGet: { port: 80 } },
        },
      ],
    },
  ],
  'annotations and a finalizer': [{}, { annotations: { a: 'b' }, finalizers: ['example.com/x'] }],
};
const SAYS_DEFAULTS: Record<string, [spec: object, metadata?: object]> = {
  'the default account by name': [{ serviceAccountName: 'default', serviceAccount: 'default' }],
  'the default tolerations': [
    {
      tolerations: ['not-ready', 'unreachable'].map((c) => ({
        key: `node.kubernetes.io/${c}`,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 300,
      })),
    },
  ],
  'its node': [{ nodeName: 'n' }],
  'the default priority': [{ priority: 0 }],
};

describe("a component's new pod", () => {
  it.each([
    ...Object.entries(PLAIN).map((c) => [...c, true] as const),
    ...Object.entries(SAYS_DEFAULTS).map((c) => [...c, false] as const),
  ])('with %s is owned as if it had been sent', (_, [spec, metadata], isDeferred) => {
    const [asked, made] = [new TestServer(), new TestServer()];
    for (const server of [asked, made])
      server.post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'own' } });
    expect(asked.post(`${PODS}?fieldManager=kube-controller-manager`, podOf(spec, metadata)).status).toBe(201);
    as(made, CONTROLLER).create(podKind(made), podOf(spec, metadata));
    expect(shown(made)).toEqual(shown(asked));
    expect(hasDeferred(stored(made).metadata.managedFields)).toBe(isDeferred);
  });

  it('with limits that admission fills in does not own these', () => {
    const server = new TestServer();
    server.post('/api/v1/namespaces/default/limitranges', {
      metadata: { name: 'l' },
      spec: { limits: [{ type: 'Container', default: { cpu: '1' } }] },
    });
    as(server, CONTROLLER).create(podKind(server), podOf({}));
    expect(server.get(`${PODS}/p`).body.spec.containers[0].resources.limits).toEqual({ cpu: '1' });
    expect(JSON.stringify(fieldsOf(server, 'kube-controller-manager'))).not.toContain('f:limits');
  });
});

/** A pod that a controller has made, the scheduler has bound and the kubelet has started. */
function running(): TestServer {
  const server = new TestServer();
  server.post('/api/v1/nodes', { metadata: { name: 'n' } });
  as(server, CONTROLLER).create(podKind(server), podOf({}));
  as(server, 'system:kube-scheduler').subresource(podKind(server), KEY, 'binding', {
    target: { kind: 'Node', name: 'n' },
  });
  kubelet(server, { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }, ...conditions(server)] });
  return server;
}
const conditions = (server: TestServer): object[] => stored(server).status['conditions'] as object[];
const kubelet = (server: TestServer, status: object): unknown =>
  as(server, 'system:node:n').updateStatus(podKind(server), {
    ...stored(server),
    status: { ...stored(server).status, ...status },
  } as never);
const leaf = {};
const KUBELETS = {
  'f:status': {
    'f:conditions': { 'k:{"type":"Ready"}': { '.': leaf, 'f:status': leaf, 'f:type': leaf } },
    'f:phase': leaf,
  },
};

describe('a pod on its way', () => {
  it('is owned by its controller, and its status by the kubelet; the binding owns nothing', () => {
    const server = running();
    expect(shown(server).map((e) => [e.manager, e.subresource])).toEqual([
      ['kube-controller-manager', undefined],
      ['kubelet', 'status'],
    ]);
    expect(fieldsOf(server, 'kubelet')).toEqual(KUBELETS);
    expect(JSON.stringify(fieldsOf(server, 'kube-controller-manager'))).not.toContain('nodeName');
    expect(stored(server).metadata.managedFields!.map((e) => e.fieldsV1)).toEqual([undefined, undefined]);
  });

  it('is shown alike alone, in lists, as metadata and in watches', () => {
    const server = running();
    const entries = shown(server);
    const partial = server.get(`${PODS}/p`, { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' });
    const { plan, frames } = server.watch(`${PODS}?watch=1`);
    expect(
      [server.get(PODS).body.items[0], partial.body, frames()[0].object].map((o) => o.metadata.managedFields),
    ).toEqual([entries, entries, entries]);
    expect(plan.resource).toBe('pods');
  });

  it.each<[string, (server: TestServer) => unknown, string]>([
    [
      "a label that a user sets is the user's",
      (s) => s.patch(`${PODS}/p?fieldManager=me`, { metadata: { labels: { mine: 'x' } } }),
      'me',
    ],
    [
      "a status that another sets is the other's",
      (s) =>
        as(s, 'system:serviceaccount:kube-system:node-controller').updateStatus(podKind(s), {
          ...stored(s),
          status: { ...stored(s).status, reason: 'NodeLost' },
        } as never),
      'kube-controller-manager',
    ],
  ])('%s, and the rest stays whose it was', (_, write, manager) => {
    const server = running();
    const before = shown(server);
    write(server);
    const after = shown(server);
    expect(
      after
        .filter((e) => !before.some((b) => b.manager === e.manager && b.subresource === e.subresource))
        .map((e) => e.manager),
    ).toEqual([manager]);
    for (const { time: _time, ...entry } of before) expect(after).toContainEqual(expect.objectContaining(entry));
  });

  it('written back as it was read, does not change', () => {
    const server = running();
    const { body } = server.get(`${PODS}/p`);
    expect(server.call('PUT', `${PODS}/p?fieldManager=me`, body).body).toEqual(body);
    expect(server.patch(`${PODS}/p?fieldManager=me`, {}).body).toEqual(body);
  });

  it('may be edited entry by entry', () => {
    const server = running();
    const { body } = server.patch(
      `${PODS}/p?fieldManager=me`,
      [{ op: 'remove', path: '/metadata/managedFields/0' }],
      'json',
    );
    expect(body.metadata.managedFields.map((e: ManagedFieldsEntry) => e.manager)).toEqual(['kubelet']);
  });

  it('conflicts with who applies what its controller owns', () => {
    const { body } = running().apply(`${PODS}/p`, 'me', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', labels: { app: 'other' } },
    });
    expect(body.message).toBe(
      'Apply failed with 1 conflict: conflict with "kube-controller-manager" using v1: .metadata.labels.app',
    );
  });
});
