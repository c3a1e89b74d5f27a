import { describe, expect, it } from '@jest/globals';
import { componentOptions } from '../registry/write-options.js';
import { configMap, deployment, pod, TestServer } from '../testing.js';

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const MAPS = '/api/v1/namespaces/default/configmaps';

const config = (data: Record<string, string> | undefined, name = 'a') => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  ...(data ? { data } : {}),
});
const web = (spec: Record<string, unknown>, containers: unknown[] = [{ name: 'app', image: 'nginx' }]) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers } },
    ...spec,
  },
});
const leaf = {};
/** 'manager/operation[/subresource]' -> its fields. */
const owners = (object: any): Record<string, unknown> =>
  Object.fromEntries(
    (object.metadata.managedFields ?? []).map((e: any) => [
      [e.manager, e.operation, e.subresource].filter(Boolean).join('/'),
      e.fieldsV1,
    ]),
  );

describe('managed fields of creates and updates', () => {
  it('a created object belongs to the manager of the query', () => {
    const server = new TestServer();
    const { body } = server.post(`${MAPS}?fieldManager=kubectl-create`, configMap('a', { l: '1' }));
    expect(body.metadata.managedFields).toEqual([
      {
        manager: 'kubectl-create',
        operation: 'Update',
        apiVersion: 'v1',
        time: '2026-01-02T03:04:05Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { '.': leaf, 'f:a': leaf }, 'f:metadata': { 'f:labels': { '.': leaf, 'f:l': leaf } } },
      },
    ]);
  });

  it.each([
    ['kubectl/v1.36.0 (linux/amd64) kubernetes/abc', 'kubectl'],
    ['node-fetch', 'node-fetch'],
    ['x'.repeat(200), 'x'.repeat(128)],
  ])('without, to the first part of the user agent: %s', (agent, manager) => {
    const { body } = new TestServer().post(MAPS, configMap('a'), { 'user-agent': agent });
    expect(Object.keys(owners(body))).toEqual([`${manager}/Update`]);
  });

  it("a deployment has upstream's shape: structs have no entry of their own, pointers and items have", () => {
    const { body } = new TestServer().post(`${DEPLOYMENTS}?fieldManager=m`, deployment('web'));
    expect(owners(body)['m/Update']).toEqual({
      'f:spec': {
        'f:progressDeadlineSeconds': leaf,
        'f:replicas': leaf,
        'f:revisionHistoryLimit': leaf,
        'f:selector': leaf,
        'f:strategy': {
          'f:rollingUpdate': { '.': leaf, 'f:maxSurge': leaf, 'f:maxUnavailable': leaf },
          'f:type': leaf,
        },
        'f:template': {
          'f:metadata': { 'f:labels': { '.': leaf, 'f:app': leaf } },
          'f:spec': {
            'f:containers': {
              'k:{"name":"app"}': {
                '.': leaf,
                'f:image': leaf,
                'f:imagePullPolicy': leaf,
                'f:name': leaf,
                'f:resources': leaf,
                'f:terminationMessagePath': leaf,
                'f:terminationMessagePolicy': leaf,
              },
            },
            'f:dnsPolicy': leaf,
            'f:restartPolicy': leaf,
            'f:schedulerName': leaf,
            'f:securityContext': leaf,
            'f:terminationGracePeriodSeconds': leaf,
          },
        },
      },
    });
  });

  it("what admission adds to a pod is nobody's", () => {
    const { body } = new TestServer().post(
      '/api/v1/namespaces/default/pods?fieldManager=m',
      pod('p', { volumes: [{ name: 'v', emptyDir: {} }] }),
    );
    expect(owners(body)['m/Update']).toEqual({
      'f:spec': {
        'f:containers': {
          'k:{"name":"app"}': {
            '.': leaf,
            'f:image': leaf,
            'f:imagePullPolicy': leaf,
            'f:name': leaf,
            'f:resources': leaf,
            'f:terminationMessagePath': leaf,
            'f:terminationMessagePolicy': leaf,
          },
        },
        'f:dnsPolicy': leaf,
        'f:enableServiceLinks': leaf,
        'f:restartPolicy': leaf,
        'f:schedulerName': leaf,
        'f:securityContext': leaf,
        'f:terminationGracePeriodSeconds': leaf,
        'f:volumes': { '.': leaf, 'k:{"name":"v"}': { '.': leaf, 'f:emptyDir': leaf, 'f:name': leaf } },
      },
    });
  });

  it('a service owns its ports by number and protocol, not the address it is given', () => {
    const { body } = new TestServer().post('/api/v1/namespaces/default/services?fieldManager=m', {
      metadata: { name: 's' },
      spec: { ports: [{ port: 80 }], selector: { a: 'b' } },
    });
    expect(owners(body)['m/Update']).toEqual({
      'f:spec': {
        'f:internalTrafficPolicy': leaf,
        'f:ports': {
          '.': leaf,
          'k:{"port":80,"protocol":"TCP"}': { '.': leaf, 'f:port': leaf, 'f:protocol': leaf, 'f:targetPort': leaf },
        },
        'f:selector': leaf,
        'f:sessionAffinity': leaf,
        'f:type': leaf,
      },
    });
  });

  it('who changes a field takes it', () => {
    const server = new TestServer();
    server.post(`${MAPS}?fieldManager=one`, config({ a: '1', b: '1' }));
    const { body } = server.patch(`${MAPS}/a?fieldManager=two`, { data: { b: '2', c: '1' } });
    expect(owners(body)).toEqual({
      'one/Update': { 'f:data': { '.': leaf, 'f:a': leaf } },
      'two/Update': { 'f:data': { 'f:b': leaf, 'f:c': leaf } },
    });
  });

  it("what is removed is nobody's, and a manager without fields is gone", () => {
    const server = new TestServer();
    server.post(`${MAPS}?fieldManager=one`, config({ a: '1' }));
    const { body } = server.patch(`${MAPS}/a?fieldManager=two`, { data: null });
    expect(body.metadata.managedFields).toBeUndefined();
  });

  it.each([
    ['an empty entry', [{}]],
    ['an empty list', []],
  ])('%s starts afresh', (_text, managedFields) => {
    const server = new TestServer();
    server.post(`${MAPS}?fieldManager=one`, config({ a: '1' }));
    const { body } = server.patch(`${MAPS}/a?fieldManager=two`, { metadata: { managedFields } });
    expect(body.metadata.managedFields).toBeUndefined();
  });

  it('entries that a client sends are taken when they can be read', () => {
    const server = new TestServer();
    server.post(`${MAPS}?fieldManager=one`, config({ a: '1' }));
    const entry = {
      manager: 'x',
      operation: 'Apply',
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': { 'f:a': {} } },
    };
    expect(owners(server.patch(`${MAPS}/a?fieldManager=two`, { metadata: { managedFields: [entry] } }).body)).toEqual({
      'x/Apply': { 'f:data': { 'f:a': leaf } },
    });
    const bad = { ...entry, fieldsV1: { data: {} } };
    expect(owners(server.patch(`${MAPS}/a?fieldManager=two`, { metadata: { managedFields: [bad] } }).body)).toEqual({
      'x/Apply': { 'f:data': { 'f:a': leaf } },
    });
  });

  it('an eleventh updater makes the oldest ancient', () => {
    const server = new TestServer();
    server.post(`${MAPS}?fieldManager=m0`, config({ k0: '' }));
    for (let i = 1; i <= 11; i++) server.patch(`${MAPS}/a?fieldManager=m${i}`, { data: { [`k${i}`]: '' } });
    const found = owners(server.get(`${MAPS}/a`).body);
    expect(Object.keys(found)).toHaveLength(10);
    expect(found['ancient-changes/Update']).toBeDefined();
  });

  it('status and scale are owned by way of their subresources', () => {
    const server = new TestServer();
    server.post(`${DEPLOYMENTS}?fieldManager=one`, deployment('web', 1));
    server.call(
      'PATCH',
      `${DEPLOYMENTS}/web/status?fieldManager=two`,
      { status: { replicas: 1 } },
      { 'content-type': 'application/merge-patch+json' },
    );
    server.call(
      'PATCH',
      `${DEPLOYMENTS}/web/scale?fieldManager=three`,
      { spec: { replicas: 3 } },
      { 'content-type': 'application/merge-patch+json' },
    );
    const {
      'two/Update/status': status,
      'three/Update/scale': scale,
      'one/Update': one,
    } = owners(server.get(`${DEPLOYMENTS}/web`).body);
    expect({ status, scale, replicas: (one as any)['f:spec']['f:replicas'] }).toEqual({
      status: { 'f:status': { 'f:replicas': leaf } },
      scale: { 'f:spec': { 'f:replicas': leaf } },
      replicas: undefined,
    });
  });
});

describe('what components write', () => {
  const component = (name: string) => componentOptions({ user: { name, groups: [] }, cause: 0 }, false);

  it.each([
    ['system:node:n', 'kubelet'],
    ['system:serviceaccount:kube-system:job-controller', 'kube-controller-manager'],
  ])('%s owns its fields of an object that is tracked, as %s', (user, manager) => {
    const server = new TestServer();
    server.post('/api/v1/namespaces/default/pods?fieldManager=one', pod('p'));
    const old = server.object('pods', { namespace: 'default', name: 'p' });
    server.server.writer
      .client(component(user))
      .updateStatus(server.registry.kindFor('v1', 'Pod')!, { ...old, status: { ...old.status, phase: 'Running' } });
    expect(owners(server.object('pods', { namespace: 'default', name: 'p' }))[`${manager}/Update/status`]).toEqual({
      'f:status': { 'f:phase': leaf },
    });
  });

  it('the autoscaler owns replicas by way of scale', () => {
    const server = new TestServer();
    server.apply(`${DEPLOYMENTS}/web`, 'one', web({ replicas: 2 }));
    server.server.writer
      .client(component('system:serviceaccount:kube-system:horizontal-pod-autoscaler'))
      .subresource(server.registry.kindFor('apps/v1', 'Deployment')!, { namespace: 'default', name: 'web' }, 'scale', {
        spec: { replicas: 5 },
      });
    expect(server.apply(`${DEPLOYMENTS}/web`, 'one', web({ replicas: 2 })).body.message).toBe(
      'Apply failed with 1 conflict: conflict with "kube-controller-manager" with subresource "scale" using apps/v1: .spec.replicas',
    );
  });

  it('stays untracked on an object whose owners were reset', () => {
    const server = new TestServer();
    server.post(MAPS, { metadata: { name: 'a' } });
    server.patch(`${MAPS}/a`, { metadata: { managedFields: [{}] } });
    const old = server.object('configmaps', { namespace: 'default', name: 'a' });
    server.server.writer
      .client(component('system:serviceaccount:kube-system:x'))
      .update(server.registry.kindFor('v1', 'ConfigMap')!, { ...old, data: { a: '1' } });
    const { body } = server.get(`${MAPS}/a`);
    expect([body.data, body.metadata.managedFields]).toEqual([{ a: '1' }, undefined]);
  });
});

describe('server-side apply', () => {
  it('creates, and then owns what the configuration says alone', () => {
    const server = new TestServer();
    const { status, body } = server.apply(`${DEPLOYMENTS}/web`, 'm', web({ replicas: 2 }));
    expect(status).toBe(201);
    expect(body.spec.strategy.type).toBe('RollingUpdate');
    expect(owners(body)).toEqual({
      'm/Apply': {
        'f:spec': {
          'f:replicas': leaf,
          'f:selector': leaf,
          'f:template': {
            'f:metadata': { 'f:labels': { 'f:app': leaf } },
            'f:spec': { 'f:containers': { 'k:{"name":"app"}': { '.': leaf, 'f:image': leaf, 'f:name': leaf } } },
          },
        },
      },
    });
  });

  it('the same again writes nothing', () => {
    const server = new TestServer();
    const first = server.apply(`${DEPLOYMENTS}/web`, 'm', web({ replicas: 2 }));
    const again = server.apply(`${DEPLOYMENTS}/web`, 'm', web({ replicas: 2 }));
    expect([again.status, again.body.metadata.resourceVersion]).toEqual([200, first.body.metadata.resourceVersion]);
  });

  it('YAML will do', () => {
    expect(
      new TestServer().apply(`${MAPS}/a`, 'm', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: v\n')
        .body.data,
    ).toEqual({ k: 'v' });
  });

  it('what is no longer applied goes, unless another owns it', () => {
    const server = new TestServer();
    server.apply(`${MAPS}/a`, 'one', config({ a: '1', b: '1', c: '1' }));
    server.apply(`${MAPS}/a`, 'two', config({ b: '1' }));
    server.patch(`${MAPS}/a?fieldManager=three`, { data: { d: '1' } });
    const { body } = server.apply(`${MAPS}/a`, 'one', config({ a: '1' }));
    expect(body.data).toEqual({ a: '1', b: '1', d: '1' });
    expect(owners(body)).toEqual({
      'one/Apply': { 'f:data': { 'f:a': leaf } },
      'two/Apply': { 'f:data': { 'f:b': leaf } },
      'three/Update': { 'f:data': { 'f:d': leaf } },
    });
  });

  it('a map that is no longer applied goes as a whole', () => {
    const server = new TestServer();
    server.apply(`${MAPS}/a`, 'one', config({ a: '1' }));
    expect(server.apply(`${MAPS}/a`, 'one', config(undefined)).body.data).toBeUndefined();
  });

  it("items of lists come and go by their keys, in the configuration's order", () => {
    const server = new TestServer();
    const named = (...names: string[]) =>
      web(
        {},
        names.map((name) => ({ name, image: name })),
      );
    server.apply(`${DEPLOYMENTS}/web`, 'one', named('a', 'b'));
    server.apply(`${DEPLOYMENTS}/web`, 'two', named('sidecar'), 'force=true');
    const { body } = server.apply(`${DEPLOYMENTS}/web`, 'one', named('c', 'b'));
    expect(body.spec.template.spec.containers.map((c: any) => c.name)).toEqual(['c', 'b', 'sidecar']);
  });

  it('a container loses the field that its applier drops', () => {
    const server = new TestServer();
    server.apply(
      `${DEPLOYMENTS}/web`,
      'one',
      web({}, [
        {
          name: 'app',
          image: 'nginx',
          env: [
            { name: 'A', value: '1' },
            { name: 'B', value: '2' },
          ],
          ports: [{ containerPort: 80 }],
        },
      ]),
    );
    const { body } = server.apply(
      `${DEPLOYMENTS}/web`,
      'one',
      web({}, [{ name: 'app', image: 'nginx', env: [{ name: 'B', value: '2' }] }]),
    );
    const [container] = body.spec.template.spec.containers;
    expect([container.env, container.ports]).toEqual([[{ name: 'B', value: '2' }], undefined]);
  });

  it("another's field is a conflict, in upstream's words", () => {
    const server = new TestServer();
    server.post(`${DEPLOYMENTS}?fieldManager=kubectl-client-side-apply`, web({ replicas: 2 }));
    const { status, body } = server.apply(`${DEPLOYMENTS}/web`, 'm', web({ replicas: 3 }));
    expect(status).toBe(409);
    expect(body).toMatchObject({
      reason: 'Conflict',
      message: 'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using apps/v1: .spec.replicas',
      details: {
        causes: [
          {
            reason: 'FieldManagerConflict',
            message: 'conflict with "kubectl-client-side-apply" using apps/v1',
            field: '.spec.replicas',
          },
        ],
      },
    });
  });

  it('several conflicts are listed by owner', () => {
    const server = new TestServer();
    server.apply(`${DEPLOYMENTS}/web`, 'one', web({ replicas: 2 }));
    server.call(
      'PATCH',
      `${DEPLOYMENTS}/web/scale?fieldManager=hpa`,
      { spec: { replicas: 5 } },
      { 'content-type': 'application/merge-patch+json' },
    );
    const { body } = server.apply(
      `${DEPLOYMENTS}/web`,
      'two',
      web({ replicas: 3 }, [{ name: 'app', image: 'nginx:2' }]),
    );
    expect(body.message).toBe(
      [
        'Apply failed with 2 conflicts: conflicts with "hpa" with subresource "scale" using apps/v1:',
        '- .spec.replicas',
        'conflicts with "one":',
        '- .spec.template.spec.containers[name="app"].image',
      ].join('\n'),
    );
  });

  it('force takes the field; the same value is shared', () => {
    const server = new TestServer();
    server.apply(`${MAPS}/a`, 'one', config({ a: '1', b: '1' }));
    const { body } = server.apply(`${MAPS}/a`, 'two', config({ a: '2', b: '1' }), 'force=true');
    expect(body.data).toEqual({ a: '2', b: '1' });
    expect(owners(body)).toEqual({
      'one/Apply': { 'f:data': { 'f:b': leaf } },
      'two/Apply': { 'f:data': { 'f:a': leaf, 'f:b': leaf } },
    });
  });

  it('an object that nobody tracked has belonged to before-first-apply', () => {
    const server = new TestServer();
    server.put('configmaps', {
      ...config({ a: '1' }),
      metadata: { name: 'a', namespace: 'default', uid: 'u' },
    } as never);
    expect(server.apply(`${MAPS}/a`, 'm', config({ a: '2' })).body.message).toBe(
      'Apply failed with 1 conflict: conflict with "before-first-apply" using v1: .data.a',
    );
  });

  it('kubectl takes over what client-side apply left as it was, and keeps its annotation true', () => {
    const server = new TestServer();
    const last = (data: Record<string, string>) => ({
      'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(config(data)),
    });
    server.post(`${MAPS}?fieldManager=kubectl-client-side-apply`, {
      ...config({ a: '1' }),
      metadata: { name: 'a', annotations: last({ a: '1' }) },
    });
    const { status, body } = server.apply(`${MAPS}/a`, 'kubectl', config({ a: '2' }));
    expect([status, body.metadata.annotations]).toEqual([
      200,
      {
        'kubectl.kubernetes.io/last-applied-configuration':
          '{"apiVersion":"v1","data":{"a":"2"},"kind":"ConfigMap","metadata":{"name":"a"}}\n',
      },
    ]);
  });

  it('a dry run answers and writes nothing', () => {
    const server = new TestServer();
    expect(server.apply(`${MAPS}/a`, 'm', config({ a: '1' }), 'dryRun=All').status).toBe(201);
    expect(server.get(`${MAPS}/a`).status).toBe(404);
  });

  it('status is applied by way of its subresource', () => {
    const server = new TestServer();
    server.apply(`${DEPLOYMENTS}/web`, 'one', web({ replicas: 2 }));
    const { body } = server.apply(`${DEPLOYMENTS}/web/status`, 'two', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: { replicas: 9 },
      status: { replicas: 2 },
    });
    expect([body.spec.replicas, body.status.replicas, owners(body)['two/Apply/status']]).toEqual([
      2,
      2,
      { 'f:status': { 'f:replicas': leaf } },
    ]);
    expect(
      server.apply(`${DEPLOYMENTS}/none/status`, 'two', {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'none' },
      }).status,
    ).toBe(404);
  });

  it.each([
    [
      'no manager',
      `${MAPS}/a`,
      '',
      config({}),
      422,
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    ],
    [
      'managed fields',
      `${MAPS}/a`,
      'm',
      { ...config({}), metadata: { name: 'a', managedFields: [] } },
      400,
      'metadata.managedFields must be nil',
    ],
    ['no type', `${MAPS}/a`, 'm', { metadata: { name: 'a' } }, 400, 'invalid object type: /, Kind='],
    ['another type', `${MAPS}/a`, 'm', { ...config({}), kind: 'Secret' }, 400, 'invalid object type: /v1, Kind=Secret'],
    [
      'another name',
      `${MAPS}/b`,
      'm',
      config({}),
      400,
      'the name of the object (a) does not match the name on the URL (b)',
    ],
    [
      'no object',
      `${MAPS}/a`,
      'm',
      '[]',
      400,
      'error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map[string]interface {}',
    ],
    [
      'an unknown field',
      `${DEPLOYMENTS}/web`,
      'm',
      web({ foo: 1 }),
      400,
      'failed to create typed patch object (/web; apps/v1, Kind=Deployment): .spec.foo: field not declared in schema',
    ],
    [
      'a wrong type',
      `${DEPLOYMENTS}/web`,
      'm',
      web({ replicas: 'x' }),
      400,
      'failed to create typed patch object (/web; apps/v1, Kind=Deployment): .spec.replicas: expected numeric (int or float), got string',
    ],
    [
      'an item without its key',
      `${DEPLOYMENTS}/web`,
      'm',
      web({}, [{ image: 'x' }]),
      400,
      'failed to create typed patch object (/web; apps/v1, Kind=Deployment): .spec.template.spec.containers: element 0: associative list with keys has an element that omits key field "name" (and doesn\'t have default value)',
    ],
    [
      'an item twice',
      `${DEPLOYMENTS}/web`,
      'm',
      web({}, [{ name: 'a' }, { name: 'a' }]),
      400,
      'failed to create typed patch object (/web; apps/v1, Kind=Deployment): .spec.template.spec.containers: duplicate entries for key [name="a"]',
    ],
    [
      'a uid of nothing',
      `${MAPS}/a`,
      'm',
      { ...config({}), metadata: { name: 'a', uid: 'u' } },
      409,
      'Operation cannot be fulfilled on configmaps "a": uid mismatch: the provided object specified uid u, and no existing object was found',
    ],
    [
      'an invalid object',
      `${DEPLOYMENTS}/web`,
      'm',
      web({ replicas: -1 }),
      422,
      'Deployment.apps "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    ],
  ])('refuses %s', (_text, url, manager, body, status, message) => {
    const answer = new TestServer().apply(url, manager, body);
    expect([answer.status, answer.body.message]).toEqual([status, message]);
  });

  it('refuses an old version, and force without apply', () => {
    const server = new TestServer();
    server.apply(`${MAPS}/a`, 'm', config({ a: '1' }));
    expect(
      server.apply(`${MAPS}/a`, 'm', { ...config({ a: '2' }), metadata: { name: 'a', resourceVersion: '1' } }).status,
    ).toBe(409);
    expect(server.patch(`${MAPS}/a?force=true`, {}).body.message).toBe(
      'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
    );
  });
});

describe('metadata in a write', () => {
  it("of a Deployment's status keeps the labels, and nobody owns them", () => {
    const server = new TestServer();
    server.apply(`${DEPLOYMENTS}/web`, 'one', web({ replicas: 2 }));
    const { body } = server.apply(`${DEPLOYMENTS}/web/status`, 'two', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', labels: { a: 'b' } },
      status: { replicas: 1 },
    });
    expect(body.metadata.labels).toBeUndefined();
    expect(owners(body)['two/Apply/status']).toEqual({ 'f:status': { 'f:replicas': leaf } });
  });

  it.each<[string, object]>([
    ['uid', { uid: 'other' }],
    ['deletionTimestamp', { deletionTimestamp: '2026-01-01T00:00:00Z' }],
  ])('does not change the %s', (field, metadata) => {
    const server = new TestServer();
    server.post(MAPS, { metadata: { name: 'a' } });
    expect(server.patch(`${MAPS}/a`, { metadata }).body).toMatchObject({
      code: 422,
      details: { causes: [{ field: `metadata.${field}`, message: expect.stringContaining('field is immutable') }] },
    });
  });

  it("that changes a Deployment's annotations begins a generation", () => {
    const server = new TestServer();
    server.apply(`${DEPLOYMENTS}/web`, 'one', web({ replicas: 2 }));
    expect(server.patch(`${DEPLOYMENTS}/web`, { metadata: { annotations: { a: 'b' } } }).body.metadata.generation).toBe(
      2,
    );
    expect(server.patch(`${DEPLOYMENTS}/web`, { metadata: { labels: { a: 'b' } } }).body.metadata.generation).toBe(2);
  });
});
