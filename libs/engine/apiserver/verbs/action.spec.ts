import { describe, expect, test } from '@jest/globals';
import type { ManagedFieldsEntry } from '../../api/meta_v1.js';
import { pod, PODS, TestServer } from '../testing.js';

describe('server-side apply to a part of a pod', () => {
  test('adds an ephemeral container, and owns it', () => {
    const server = new TestServer();
    server.post(PODS, pod('p'));
    const { status, body } = server.apply(`${PODS}/p/ephemeralcontainers`, 'e', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      spec: { ephemeralContainers: [{ name: 'debug', image: 'busybox' }] },
    });
    expect(status).toBe(200);
    expect(body.metadata.managedFields.find((e: ManagedFieldsEntry) => e.manager === 'e')).toMatchObject({
      operation: 'Apply',
      subresource: 'ephemeralcontainers',
      fieldsV1: {
        'f:spec': { 'f:ephemeralContainers': { 'k:{"name":"debug"}': { '.': {}, 'f:image': {}, 'f:name': {} } } },
      },
    });
  });
});

const BINDING = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } };
const EVICTION = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } };

describe("a kind's own subresource", () => {
  const withPod = (): TestServer => {
    const server = new TestServer();
    server.post(`${PODS}?fieldManager=m`, pod('p'));
    return server;
  };

  test('is posted to, and owns no fields as a binding', () => {
    const server = withPod();
    const { status, body } = server.post(`${PODS}/p/binding?fieldManager=scheduler`, BINDING);
    expect([status, body.kind, body.status]).toEqual([201, 'Status', 'Success']);
    const stored = server.get(`${PODS}/p`).body;
    expect([stored.spec.nodeName, stored.metadata.managedFields.map((e: ManagedFieldsEntry) => e.manager)]).toEqual([
      'n',
      ['m'],
    ]);
  });

  test('is patched as what it shows', () => {
    const withRequest = (cpu: string): object[] => [{ name: 'app', image: 'nginx', resources: { requests: { cpu } } }];
    const server = new TestServer();
    server.post(PODS, pod('p', { containers: withRequest('500m') }));
    const containers = withRequest('1');
    const { status, body } = server.patch(`${PODS}/p/resize`, { spec: { containers } }, 'strategic');
    expect([status, body.kind, body.spec.containers[0].resources.requests]).toEqual([200, 'Pod', { cpu: '1' }]);
  });

  test.each(['policy/v1', 'policy/v1beta1'])('takes an Eviction of %s', (apiVersion) => {
    const { status, body } = withPod().post(`${PODS}/p/eviction`, { ...EVICTION, apiVersion });
    expect([status, body.kind, body.status]).toEqual([201, 'Status', 'Success']);
  });

  test.each<[string, (server: TestServer) => { body: unknown }, number, string]>([
    [
      'with a body of another version',
      (s) => s.post(`${PODS}/p/eviction`, { ...EVICTION, apiVersion: 'policy/v1beta2' }),
      400,
      'the API version in the data (policy/v1beta2) does not match the expected API version (policy/v1)',
    ],
    ['of nothing', (s) => s.post(`${PODS}/none/binding`, BINDING), 404, 'pods "none" not found'],
    [
      'with a body of another kind',
      (s) => s.post(`${PODS}/p/binding`, { ...BINDING, kind: 'Pod' }),
      400,
      'Pod in version "v1" cannot be handled as a Binding: converting (v1.Pod) to (core.Binding): unknown conversion',
    ],
    [
      'by a method that it has not',
      (s) => s.call('PUT', `${PODS}/p/binding`, BINDING),
      405,
      'the server does not allow this method on the requested resource',
    ],
  ])('%s is refused', (_, send, code, message) => expect(send(withPod()).body).toMatchObject({ code, message }));
});
