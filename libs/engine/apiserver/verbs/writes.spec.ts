import { describe, expect, test } from '@jest/globals';
import { configMap, deployment, pod, TestServer } from '../testing.js';

const MAPS = '/api/v1/namespaces/default/configmaps';
const PODS = '/api/v1/namespaces/default/pods';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

describe('create', () => {
  test.each<[string, string, unknown, number, string | RegExp]>([
    ['a name that is taken', MAPS, configMap('taken'), 409, 'configmaps "taken" already exists'],
    [
      'another namespace in the body',
      MAPS,
      { metadata: { name: 'x', namespace: 'other' } },
      400,
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
    [
      'no name',
      MAPS,
      {},
      422,
      'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
    ],
    [
      'a bad name',
      PODS,
      pod('My_First_Pod'),
      422,
      /^Pod "My_First_Pod" is invalid: metadata.name: Invalid value: "My_First_Pod": a lowercase RFC 1123 subdomain must consist of/,
    ],
    [
      'another version',
      '/apis/apps/v1/namespaces/default/deployments',
      { apiVersion: 'extensions/v1beta1', kind: 'Deployment' },
      400,
      'the API version in the data (extensions/v1beta1) does not match the expected API version (apps/v1)',
    ],
    [
      'an unknown field',
      `${PODS}?fieldValidation=Strict`,
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' }, spec: { contianers: [] } },
      400,
      'Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field "spec.contianers"',
    ],
    ['a missing namespace', '/api/v1/namespaces/nope/configmaps', configMap('x'), 404, 'namespaces "nope" not found'],
    [
      'a resourceVersion',
      MAPS,
      { metadata: { name: 'x', resourceVersion: '1' } },
      400,
      'resourceVersion should not be set on objects to be created',
    ],
    [
      'a strange dry run',
      `${MAPS}?dryRun=Some`,
      configMap('x'),
      422,
      'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"',
    ],
    [
      'a strange field validation',
      `${MAPS}?fieldValidation=Loose`,
      configMap('x'),
      422,
      'CreateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "Loose": supported values: "", "Ignore", "Strict", "Warn"',
    ],
    ['too large a body', MAPS, 'x'.repeat(3 * 1024 * 1024 + 1), 413, 'Request entity too large: limit is 3145728'],
  ])('%s', (_, url, body, code, message) => {
    const server = new TestServer();
    server.post(MAPS, configMap('taken'));
    const before = server.state.revision;
    expect(server.post(url, body).body).toMatchObject({
      kind: 'Status',
      code,
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    });
    expect(server.state.revision).toBe(before);
  });

  test('objects of the cluster lose a namespace, those without a status keep the generation they come with', () => {
    const server = new TestServer();
    expect(
      server.post('/apis/storage.k8s.io/v1/storageclasses', {
        metadata: { name: 'x', namespace: 'other' },
        provisioner: 'p.io',
      }).body.metadata.namespace,
    ).toBeUndefined();
    expect(server.post(MAPS, { metadata: { name: 'x', generation: 7 } }).body.metadata.generation).toBe(7);
    expect(server.post(MAPS, { metadata: { name: 'y', generation: -1 } }).body.message).toBe(
      'ConfigMap "y" is invalid: metadata.generation: Invalid value: -1: must be greater than or equal to 0',
    );
  });

  test('fills in what the server gives', () => {
    const { status, body } = new TestServer().post(MAPS, { metadata: { generateName: 'web-' }, data: { a: '1' } });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: {
        name: expect.stringMatching(/^web-[a-z0-9]{5}$/),
        namespace: 'default',
        uid: expect.any(String),
        creationTimestamp: '2026-01-02T03:04:05Z',
      },
    });
  });

  test('unknown fields are warned of, and dropped', () => {
    const { status, headers, body } = new TestServer().post(MAPS, { metadata: { name: 'x' }, colour: 'red' });
    expect([status, headers['warning']]).toEqual([201, ['299 - "unknown field \\"colour\\""']]);
    expect(body.colour).toBeUndefined();
  });

  test('a dry run answers as a real one and stores nothing', () => {
    const server = new TestServer();
    expect(server.post(`${MAPS}?dryRun=All`, configMap('x')).status).toBe(201);
    expect(server.get(`${MAPS}/x`).status).toBe(404);
  });

  test('a media type that cannot be read', () =>
    expect(new TestServer().post(MAPS, 'a,b', { 'content-type': 'text/csv' })).toMatchObject({
      status: 415,
      body: { reason: 'UnsupportedMediaType' },
    }));
});

describe('update', () => {
  test.each<[string, (map: any) => unknown, number, string]>([
    [
      'another name',
      (m) => ({ ...m, metadata: { ...m.metadata, name: 'b' } }),
      400,
      'the name of the object (b) does not match the name on the URL (a)',
    ],
    [
      'an old revision',
      (m) => ({ ...m, metadata: { ...m.metadata, resourceVersion: '1' } }),
      409,
      'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    ],
    [
      'another uid',
      (m) => ({ ...m, metadata: { ...m.metadata, uid: 'x' } }),
      409,
      'Operation cannot be fulfilled on configmaps "a": Precondition failed: UID in precondition: x, UID in object meta: ',
    ],
  ])('%s', (_, change, code, message) => {
    const server = new TestServer();
    const { body } = server.post(MAPS, configMap('a'));
    expect(server.call('PUT', `${MAPS}/a`, change(body)).body).toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });
  test('replaces, and writes nothing when nothing changes', () => {
    const server = new TestServer();
    const { body } = server.post(MAPS, configMap('a'));
    expect(server.call('PUT', `${MAPS}/a`, { ...body, data: { z: '9' } }).body.data).toEqual({ z: '9' });
    const before = server.state.revision;
    server.call('PUT', `${MAPS}/a`, server.get(`${MAPS}/a`).body);
    expect(server.state.revision).toBe(before);
  });
  test('status and spec keep apart', () => {
    const server = new TestServer();
    const { body } = server.post(DEPLOYMENTS, deployment('web'));
    const wanted = { ...body, spec: { ...body.spec, replicas: 7 }, status: { replicas: 5 } };
    expect(server.call('PUT', `${DEPLOYMENTS}/web/status`, wanted).body).toMatchObject({
      spec: { replicas: 1 },
      status: { replicas: 5 },
    });
    delete wanted.metadata.resourceVersion;
    expect(server.call('PUT', `${DEPLOYMENTS}/web`, { ...wanted, status: { replicas: 9 } }).body).toMatchObject({
      spec: { replicas: 7 },
      status: { replicas: 5 },
      metadata: { generation: 2 },
    });
  });
});

describe('patch', () => {
  const created = (): TestServer => {
    const server = new TestServer();
    server.post(DEPLOYMENTS, deployment('web'));
    return server;
  };
  test.each<[string, string, unknown, object]>([
    ['merge', 'merge', { metadata: { labels: { a: 'b' } } }, { metadata: { labels: { a: 'b' } } }],
    ['JSON', 'json', [{ op: 'replace', path: '/spec/replicas', value: 4 }], { spec: { replicas: 4 } }],
    [
      'strategic: the container is merged by name',
      'strategic',
      { spec: { template: { spec: { containers: [{ name: 'app', image: 'nginx:2' }] } } } },
      { spec: { template: { spec: { containers: [{ name: 'app', image: 'nginx:2', imagePullPolicy: 'Always' }] } } } },
    ],
  ])('%s', (_, type, body, expected) => {
    const answer = created().patch(`${DEPLOYMENTS}/web`, body, type);
    expect(answer.body).toMatchObject(expected);
    expect(answer.status).toBe(200);
  });
  test.each<[string, string, unknown, number, string | RegExp]>([
    ['a type that is not served', 'text/plain', {}, 415, '415: Unsupported Media Type'],
    [
      'an unknown field, strictly',
      'merge',
      { spec: { colour: 'red' } },
      422,
      /^ "" is invalid: patch: Invalid value: .*: strict decoding error: unknown field "spec.colour"$/,
    ],
    [
      'a failed test',
      'json',
      [{ op: 'test', path: '/spec/replicas', value: 9 }],
      422,
      'the server rejected our request due to an error in our request',
    ],
    ['an old revision', 'merge', { metadata: { resourceVersion: '1' } }, 409, /the object has been modified/],
    ['nonsense', 'merge', '{', 400, 'error decoding patch: unexpected end of JSON input'],
    ['nonsense', 'strategic', '{spec: 1}', 400, "invalid character 's' looking for beginning of object key string"],
    [
      'a wrong type',
      'merge',
      { spec: { replicas: 'x' } },
      422,
      /^ "" is invalid: patch: Invalid value: "\{\\"apiVersion.*: json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32$/,
    ],
    [
      'a wrong type',
      'strategic',
      { spec: { replicas: 'x' } },
      422,
      ' "" is invalid: patch: Invalid value: "map[spec:map[replicas:x]]": unrecognized type: int32',
    ],
    [
      'a text for a map',
      'strategic',
      { metadata: { labels: 'x' } },
      422,
      ' "" is invalid: patch: Invalid value: "map[metadata:map[labels:x]]": cannot restore map from string',
    ],
    [
      'another name',
      'merge',
      { metadata: { name: 'other' } },
      400,
      'the name of the object (other) does not match the name on the URL (web)',
    ],
  ])('%s', (_, type, body, code, message) => {
    const { status, body: answer } = created().patch(`${DEPLOYMENTS}/web?fieldValidation=Strict`, body, type);
    expect(answer.message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
    expect(status).toBe(code);
  });
  test('stored objects are never touched', () => {
    const server = created();
    const before = server.object('deployments', { namespace: 'default', name: 'web' });
    const text = JSON.stringify(before);
    server.patch(
      `${DEPLOYMENTS}/web`,
      { spec: { template: { spec: { containers: [{ name: 'app', image: 'x' }] } } } },
      'strategic',
    );
    server.patch(`${DEPLOYMENTS}/web`, [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }], 'json');
    expect(JSON.stringify(before)).toBe(text);
  });
});

describe('scale', () => {
  test.each<[string, (s: TestServer) => { status: number; body: any }, number, object]>([
    [
      'put',
      (s) =>
        s.call('PUT', `${DEPLOYMENTS}/web/scale`, {
          metadata: { name: 'web', namespace: 'default' },
          spec: { replicas: 5 },
        }),
      200,
      { kind: 'Scale', spec: { replicas: 5 } },
    ],
    ['patch', (s) => s.patch(`${DEPLOYMENTS}/web/scale`, { spec: { replicas: 6 } }), 200, { spec: { replicas: 6 } }],
    [
      'below zero',
      (s) => s.patch(`${DEPLOYMENTS}/web/scale`, { spec: { replicas: -1 } }),
      422,
      {
        message:
          'Scale.autoscaling "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
      },
    ],
  ])('%s', (_, act, status, body) => {
    const server = new TestServer();
    server.post(DEPLOYMENTS, deployment('web'));
    const answer = act(server);
    expect(answer.body).toMatchObject(body);
    expect(answer.status).toBe(status);
    if (status === 200)
      expect(server.object('deployments', { namespace: 'default', name: 'web' })).toMatchObject({
        spec: { replicas: answer.body.spec.replicas },
        metadata: { generation: 2 },
      });
  });
});

describe('delete', () => {
  test('answers what is gone with a Status', () => {
    const server = new TestServer();
    const { body } = server.post(DEPLOYMENTS, deployment('web'));
    expect(server.call('DELETE', `${DEPLOYMENTS}/web`).body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'web', group: 'apps', kind: 'deployments', uid: body.metadata.uid },
    });
    expect(server.get(`${DEPLOYMENTS}/web`).status).toBe(404);
  });
  test('answers for some kinds with the object that is gone', () => {
    const server = new TestServer();
    server.post('/api/v1/namespaces/default/serviceaccounts', {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'robot' },
    });
    expect(server.call('DELETE', '/api/v1/namespaces/default/serviceaccounts/robot').body).toMatchObject({
      kind: 'ServiceAccount',
      metadata: { name: 'robot' },
    });
  });

  test('answers what stays for now with the object', () => {
    const server = new TestServer();
    server.post(DEPLOYMENTS, deployment('web'));
    const { body } = server.call('DELETE', `${DEPLOYMENTS}/web?propagationPolicy=Foreground`);
    expect(body.metadata).toMatchObject({
      deletionTimestamp: '2026-01-02T03:04:05Z',
      finalizers: ['foregroundDeletion'],
    });
  });
  test.each<[string, unknown, number, string | RegExp]>([
    ['', { preconditions: { uid: 'x' } }, 409, /the UID in the precondition \(x\) does not match the UID in record/],
    [
      '?propagationPolicy=',
      undefined,
      422,
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "": supported values: "Foreground", "Background", "Orphan", "nil"',
    ],
    [
      '',
      { gracePeriodSeconds: 'a' },
      400,
      'json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64',
    ],
    [
      '?propagationPolicy=Sideways',
      undefined,
      422,
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Sideways": supported values: "Foreground", "Background", "Orphan", "nil"',
    ],
    [
      '',
      { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Orphan', orphanDependents: true },
      422,
      /orphanDependents and deletionPropagation cannot be both set/,
    ],
  ])('%s %j is refused', (query, body, code, message) => {
    const server = new TestServer();
    server.post(MAPS, configMap('a'));
    const answer = server.call('DELETE', `${MAPS}/a${query}`, body).body;
    expect(answer.message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
    expect(answer.code).toBe(code);
  });
  test('of a collection follows its selectors', () => {
    const server = new TestServer();
    for (const [name, app] of [
      ['a', 'web'],
      ['b', 'web'],
      ['c', 'db'],
    ] as const)
      server.post(MAPS, configMap(name, { app }));
    expect(server.call('DELETE', `${MAPS}?labelSelector=app%3Dweb&dryRun=All`).body.items).toHaveLength(2);
    expect(server.get(MAPS).body.items).toHaveLength(3);
    expect(server.call('DELETE', `${MAPS}?labelSelector=app%3Dweb`).body.kind).toBe('ConfigMapList');
    expect(server.get(MAPS).body.items.map((i: any) => i.metadata.name)).toEqual(['c']);
  });
});

describe('objects that are too large to store', () => {
  const ROLES = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
  const role = (bytes: number): object => ({
    metadata: { name: 'large' },
    rules: [{ verbs: ['get'], apiGroups: [''], resources: ['x'.repeat(bytes)] }],
  });
  const REFUSED = { status: 413, body: { kind: 'Status', message: 'etcdserver: request is too large' } };

  test('are refused from 1.5 MiB on', () => {
    const server = new TestServer();
    expect(server.post(ROLES, role(1_574_000))).toMatchObject(REFUSED);
    expect(server.post(ROLES, role(1_570_000)).status).toBe(201);
  });

  test('cannot be grown by patches', () => {
    const server = new TestServer();
    server.post(ROLES, role(1_000_000));
    expect(server.patch(`${ROLES}/large`, [{ op: 'copy', from: '/rules/0', path: '/rules/-' }], 'json')).toMatchObject(
      REFUSED,
    );
  });

  test('are measured as they are stored: protobuf is smaller than JSON', () => {
    const server = new TestServer();
    const externalIPs = Array.from({ length: 120_000 }, (_, i) => `1.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`);
    expect(
      server.post('/api/v1/namespaces/default/services', {
        metadata: { name: 'a' },
        spec: { ports: [{ port: 80 }], externalIPs },
      }).status,
    ).toBe(201);
  });
});

test('a status without its defaults gets them when it is written, not when it is shared', () => {
  const server = new TestServer();
  const url = '/api/v1/namespaces/default';
  expect(server.call('PUT', `${url}/status`, { metadata: { name: 'default' }, status: {} }).body.status).toEqual({
    phase: 'Active',
  });
});
