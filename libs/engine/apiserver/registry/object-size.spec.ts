import { describe, expect, test } from '@jest/globals';
import { TestServer } from '../testing.js';

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
