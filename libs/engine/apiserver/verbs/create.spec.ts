import { describe, expect, test } from '@jest/globals';
import { CONFIG_MAPS, configMap, pod, PODS, TestServer } from '../testing.js';

describe('POST', () => {
  test.each<[string, string, unknown, number, string | RegExp]>([
    ['a name that is taken', CONFIG_MAPS, configMap('taken'), 409, 'configmaps "taken" already exists'],
    [
      'another namespace in the body',
      CONFIG_MAPS,
      { metadata: { name: 'x', namespace: 'other' } },
      400,
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
    [
      'no name',
      CONFIG_MAPS,
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
      CONFIG_MAPS,
      { metadata: { name: 'x', resourceVersion: '1' } },
      400,
      'resourceVersion should not be set on objects to be created',
    ],
    [
      'a strange dry run',
      `${CONFIG_MAPS}?dryRun=Some`,
      configMap('x'),
      422,
      'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"',
    ],
    [
      'a strange field validation',
      `${CONFIG_MAPS}?fieldValidation=Loose`,
      configMap('x'),
      422,
      'CreateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "Loose": supported values: "", "Ignore", "Strict", "Warn"',
    ],
    [
      'too large a body',
      CONFIG_MAPS,
      'x'.repeat(3 * 1024 * 1024 + 1),
      413,
      'Request entity too large: limit is 3145728',
    ],
  ])('%s', (_, url, body, code, message) => {
    const server = new TestServer();
    server.post(CONFIG_MAPS, configMap('taken'));
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
    expect(server.post(CONFIG_MAPS, { metadata: { name: 'x', generation: 7 } }).body.metadata.generation).toBe(7);
    expect(server.post(CONFIG_MAPS, { metadata: { name: 'y', generation: -1 } }).body.message).toBe(
      'ConfigMap "y" is invalid: metadata.generation: Invalid value: -1: must be greater than or equal to 0',
    );
  });

  test('fills in what the server gives', () => {
    const { status, body } = new TestServer().post(CONFIG_MAPS, {
      metadata: { generateName: 'web-' },
      data: { a: '1' },
    });
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
    const { status, headers, body } = new TestServer().post(CONFIG_MAPS, { metadata: { name: 'x' }, colour: 'red' });
    expect([status, headers['warning']]).toEqual([201, ['299 - "unknown field \\"colour\\""']]);
    expect(body.colour).toBeUndefined();
  });

  test('a dry run answers as a real one and stores nothing', () => {
    const server = new TestServer();
    expect(server.post(`${CONFIG_MAPS}?dryRun=All`, configMap('x')).status).toBe(201);
    expect(server.get(`${CONFIG_MAPS}/x`).status).toBe(404);
  });

  test('a media type that cannot be read', () =>
    expect(new TestServer().post(CONFIG_MAPS, 'a,b', { 'content-type': 'text/csv' })).toMatchObject({
      status: 415,
      body: { reason: 'UnsupportedMediaType' },
    }));
});
