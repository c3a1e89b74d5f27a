import { describe, expect, test } from '@jest/globals';
import { CONFIG_MAPS, configMap, deployment, DEPLOYMENTS, TestServer } from '../testing.js';

describe('PUT', () => {
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
    const { body } = server.post(CONFIG_MAPS, configMap('a'));
    expect(server.call('PUT', `${CONFIG_MAPS}/a`, change(body)).body).toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });
  test('replaces, and writes nothing when nothing changes', () => {
    const server = new TestServer();
    const { body } = server.post(CONFIG_MAPS, configMap('a'));
    expect(server.call('PUT', `${CONFIG_MAPS}/a`, { ...body, data: { z: '9' } }).body.data).toEqual({ z: '9' });
    const before = server.state.revision;
    server.call('PUT', `${CONFIG_MAPS}/a`, server.get(`${CONFIG_MAPS}/a`).body);
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
