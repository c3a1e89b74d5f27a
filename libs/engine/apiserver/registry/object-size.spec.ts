import { beforeEach, describe, expect, test } from '@jest/globals';
import { TestServer } from '../testing.js';

describe('a cluster whose space is used up', () => {
  const MAPS = '/api/v1/namespaces/default/configmaps';
  const map = (name: string, metadata: object = {}): object => ({ metadata: { name, ...metadata }, data: { a: '1' } });
  const REFUSED = { status: 413, body: { kind: 'Status', message: 'etcdserver: mvcc: database space exceeded' } };
  let server: TestServer;
  beforeEach(() => {
    server = new TestServer();
    server.post(MAPS, map('old'));
    server.post(MAPS, map('held', { finalizers: ['example.com/hold'] }));
    server.state.isSpaceExceeded = true;
  });

  test.each<[string, () => object]>([
    ['a create', () => server.post(MAPS, map('new'))],
    ['an update', () => server.call('PUT', `${MAPS}/old`, { ...map('old'), data: { a: '2' } })],
    ['a patch', () => server.patch(`${MAPS}/old`, { data: { a: '2' } })],
    ['an apply', () => server.apply(`${MAPS}/new`, 'me', { apiVersion: 'v1', kind: 'ConfigMap', ...map('new') })],
  ])('refuses %s', (_, write) => expect(write()).toMatchObject(REFUSED));

  test('serves reads, dry runs and deletions', () => {
    expect(server.get(`${MAPS}/old`).status).toBe(200);
    expect(server.post(`${MAPS}?dryRun=All`, map('new')).status).toBe(201);
    expect(server.call('DELETE', `${MAPS}/old`).status).toBe(200);
    expect(server.get(`${MAPS}/old`).status).toBe(404);
  });

  test('lets a deletion end whose last finalizer is taken away', () => {
    expect(server.call('DELETE', `${MAPS}/held`).status).toBe(200);
    expect(server.get(`${MAPS}/held`).status).toBe(200);
    expect(server.patch(`${MAPS}/held`, { metadata: { finalizers: null } }).status).toBe(200);
    expect(server.get(`${MAPS}/held`).status).toBe(404);
  });

  test('takes writes again when there is space', () => {
    server.state.isSpaceExceeded = false;
    expect(server.post(MAPS, map('new')).status).toBe(201);
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
