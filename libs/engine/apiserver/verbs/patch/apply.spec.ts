import { describe, expect, test } from '@jest/globals';
import {
  CONFIG_MAPS,
  configuration,
  deploymentConfiguration,
  DEPLOYMENTS,
  fieldsByManager,
  TestServer,
} from '../../testing.js';

const leaf = {};

describe('server-side apply', () => {
  test('creates, and then owns what the configuration says alone', () => {
    const server = new TestServer();
    const { status, body } = server.apply(`${DEPLOYMENTS}/web`, 'm', deploymentConfiguration({ replicas: 2 }));
    expect(status).toBe(201);
    expect(body.spec.strategy.type).toBe('RollingUpdate');
    expect(fieldsByManager(body)).toEqual({
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

  test('the same again writes nothing', () => {
    const server = new TestServer();
    const first = server.apply(`${DEPLOYMENTS}/web`, 'm', deploymentConfiguration({ replicas: 2 }));
    const again = server.apply(`${DEPLOYMENTS}/web`, 'm', deploymentConfiguration({ replicas: 2 }));
    expect([again.status, again.body.metadata.resourceVersion]).toEqual([200, first.body.metadata.resourceVersion]);
  });

  test('what is no longer applied goes, unless another owns it', () => {
    const server = new TestServer();
    server.apply(`${CONFIG_MAPS}/a`, 'one', configuration({ a: '1', b: '1', c: '1' }));
    server.apply(`${CONFIG_MAPS}/a`, 'two', configuration({ b: '1' }));
    server.patch(`${CONFIG_MAPS}/a?fieldManager=three`, { data: { d: '1' } });
    const { body } = server.apply(`${CONFIG_MAPS}/a`, 'one', configuration({ a: '1' }));
    expect(body.data).toEqual({ a: '1', b: '1', d: '1' });
    expect(fieldsByManager(body)).toEqual({
      'one/Apply': { 'f:data': { 'f:a': leaf } },
      'two/Apply': { 'f:data': { 'f:b': leaf } },
      'three/Update': { 'f:data': { 'f:d': leaf } },
    });
  });

  test('a map that is no longer applied goes as a whole', () => {
    const server = new TestServer();
    server.apply(`${CONFIG_MAPS}/a`, 'one', configuration({ a: '1' }));
    expect(server.apply(`${CONFIG_MAPS}/a`, 'one', configuration(undefined)).body.data).toBeUndefined();
  });

  test("items of lists come and go by their keys, in the configuration's order", () => {
    const server = new TestServer();
    const named = (...names: string[]) =>
      deploymentConfiguration(
        {},
        names.map((name) => ({ name, image: name })),
      );
    server.apply(`${DEPLOYMENTS}/web`, 'one', named('a', 'b'));
    server.apply(`${DEPLOYMENTS}/web`, 'two', named('sidecar'), 'force=true');
    const { body } = server.apply(`${DEPLOYMENTS}/web`, 'one', named('c', 'b'));
    expect(body.spec.template.spec.containers.map((c: any) => c.name)).toEqual(['c', 'b', 'sidecar']);
  });

  test('a container loses the field that its applier drops', () => {
    const server = new TestServer();
    server.apply(
      `${DEPLOYMENTS}/web`,
      'one',
      deploymentConfiguration({}, [
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
      deploymentConfiguration({}, [{ name: 'app', image: 'nginx', env: [{ name: 'B', value: '2' }] }]),
    );
    const [container] = body.spec.template.spec.containers;
    expect([container.env, container.ports]).toEqual([[{ name: 'B', value: '2' }], undefined]);
  });

  test("another's field is a conflict, in upstream's words", () => {
    const server = new TestServer();
    server.post(`${DEPLOYMENTS}?fieldManager=kubectl-client-side-apply`, deploymentConfiguration({ replicas: 2 }));
    const { status, body } = server.apply(`${DEPLOYMENTS}/web`, 'm', deploymentConfiguration({ replicas: 3 }));
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

  test('several conflicts are listed by owner', () => {
    const server = new TestServer();
    server.apply(`${DEPLOYMENTS}/web`, 'one', deploymentConfiguration({ replicas: 2 }));
    server.call(
      'PATCH',
      `${DEPLOYMENTS}/web/scale?fieldManager=hpa`,
      { spec: { replicas: 5 } },
      { 'content-type': 'application/merge-patch+json' },
    );
    const { body } = server.apply(
      `${DEPLOYMENTS}/web`,
      'two',
      deploymentConfiguration({ replicas: 3 }, [{ name: 'app', image: 'nginx:2' }]),
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

  test('force takes the field; the same value is shared', () => {
    const server = new TestServer();
    server.apply(`${CONFIG_MAPS}/a`, 'one', configuration({ a: '1', b: '1' }));
    const { body } = server.apply(`${CONFIG_MAPS}/a`, 'two', configuration({ a: '2', b: '1' }), 'force=true');
    expect(body.data).toEqual({ a: '2', b: '1' });
    expect(fieldsByManager(body)).toEqual({
      'one/Apply': { 'f:data': { 'f:b': leaf } },
      'two/Apply': { 'f:data': { 'f:a': leaf, 'f:b': leaf } },
    });
  });

  test('an object that nobody tracked has belonged to before-first-apply', () => {
    const server = new TestServer();
    server.put('configmaps', {
      ...configuration({ a: '1' }),
      metadata: { name: 'a', namespace: 'default', uid: 'u' },
    } as never);
    expect(server.apply(`${CONFIG_MAPS}/a`, 'm', configuration({ a: '2' })).body.message).toBe(
      'Apply failed with 1 conflict: conflict with "before-first-apply" using v1: .data.a',
    );
  });

  test('kubectl takes over what client-side apply left as it was, and keeps its annotation true', () => {
    const server = new TestServer();
    const last = (data: Record<string, string>) => ({
      'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(configuration(data)),
    });
    server.post(`${CONFIG_MAPS}?fieldManager=kubectl-client-side-apply`, {
      ...configuration({ a: '1' }),
      metadata: { name: 'a', annotations: last({ a: '1' }) },
    });
    const { status, body } = server.apply(`${CONFIG_MAPS}/a`, 'kubectl', configuration({ a: '2' }));
    expect([status, body.metadata.annotations]).toEqual([
      200,
      {
        'kubectl.kubernetes.io/last-applied-configuration':
          '{"apiVersion":"v1","data":{"a":"2"},"kind":"ConfigMap","metadata":{"name":"a"}}\n',
      },
    ]);
  });

  test('a dry run answers and writes nothing', () => {
    const server = new TestServer();
    expect(server.apply(`${CONFIG_MAPS}/a`, 'm', configuration({ a: '1' }), 'dryRun=All').status).toBe(201);
    expect(server.get(`${CONFIG_MAPS}/a`).status).toBe(404);
  });

  test('status is applied by way of its subresource', () => {
    const server = new TestServer();
    server.apply(`${DEPLOYMENTS}/web`, 'one', deploymentConfiguration({ replicas: 2 }));
    const { body } = server.apply(`${DEPLOYMENTS}/web/status`, 'two', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: { replicas: 9 },
      status: { replicas: 2 },
    });
    expect([body.spec.replicas, body.status.replicas, fieldsByManager(body)['two/Apply/status']]).toEqual([
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

  test.each([
    [
      'no manager',
      `${CONFIG_MAPS}/a`,
      '',
      configuration({}),
      422,
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    ],
    [
      'another name',
      `${CONFIG_MAPS}/b`,
      'm',
      configuration({}),
      400,
      'the name of the object (a) does not match the name on the URL (b)',
    ],
    [
      'a uid of nothing',
      `${CONFIG_MAPS}/a`,
      'm',
      { ...configuration({}), metadata: { name: 'a', uid: 'u' } },
      409,
      'Operation cannot be fulfilled on configmaps "a": uid mismatch: the provided object specified uid u, and no existing object was found',
    ],
    [
      'an invalid object',
      `${DEPLOYMENTS}/web`,
      'm',
      deploymentConfiguration({ replicas: -1 }),
      422,
      'Deployment.apps "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    ],
  ])('refuses %s', (_text, url, manager, body, status, message) => {
    const answer = new TestServer().apply(url, manager, body);
    expect([answer.status, answer.body.message]).toEqual([status, message]);
  });

  test('refuses an old version, and force without apply', () => {
    const server = new TestServer();
    server.apply(`${CONFIG_MAPS}/a`, 'm', configuration({ a: '1' }));
    expect(
      server.apply(`${CONFIG_MAPS}/a`, 'm', {
        ...configuration({ a: '2' }),
        metadata: { name: 'a', resourceVersion: '1' },
      }).status,
    ).toBe(409);
    expect(server.patch(`${CONFIG_MAPS}/a?force=true`, {}).body.message).toBe(
      'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
    );
  });
});
