import { describe, expect, test } from '@jest/globals';
import { CONFIG_MAPS, configMap, pod, PODS, TestServer } from '../../apiserver/testing.js';

const refusal = (server: TestServer, body: unknown, url = PODS): string => server.post(url, body).body.message;
const resources = (requests: object, limits?: object): object => ({
  containers: [{ name: 'app', image: 'nginx', resources: { requests, limits } }],
});

describe('ResourceQuota', () => {
  const withQuota = (hard: object): TestServer => {
    const server = new TestServer();
    server.post('/api/v1/namespaces/default/resourcequotas', { metadata: { name: 'quota' }, spec: { hard } });
    return server;
  };
  test('counts', () => {
    const server = withQuota({ pods: '1' });
    expect(server.post(PODS, pod('a')).status).toBe(201);
    expect(refusal(server, pod('b'))).toBe(
      'pods "b" is forbidden: exceeded quota: quota, requested: pods=1, used: pods=1, limited: pods=1',
    );
  });
  test('sums', () => {
    const server = withQuota({ 'requests.cpu': '1' });
    server.post(PODS, pod('a', resources({ cpu: '700m' }) as Record<string, unknown>));
    expect(refusal(server, pod('b', resources({ cpu: '400m' }) as Record<string, unknown>))).toBe(
      'pods "b" is forbidden: exceeded quota: quota, requested: requests.cpu=400m, used: requests.cpu=700m, limited: requests.cpu=1',
    );
  });
  test('names a pod whose name was generated', () => {
    const generated = { metadata: { generateName: 'web-' }, spec: { containers: [{ name: 'app', image: 'nginx' }] } };
    expect(refusal(withQuota({ pods: '0' }), generated)).toMatch(
      /^pods "web-[a-z0-9]{5}" is forbidden: exceeded quota: quota, requested: pods=1, used: pods=0, limited: pods=0$/,
    );
  });
  test('wants amounts stated', () =>
    expect(refusal(withQuota({ 'limits.cpu': '1', 'limits.memory': '1Gi' }), pod('a'))).toBe(
      'pods "a" is forbidden: failed quota: quota: must specify limits.cpu for: app; limits.memory for: app',
    ));
  test('counts any resource', () => {
    const server = withQuota({ 'count/configmaps': '1' });
    server.post(CONFIG_MAPS, configMap('a'));
    expect(refusal(server, configMap('b'), CONFIG_MAPS)).toContain(
      'exceeded quota: quota, requested: count/configmaps=1, used: count/configmaps=1',
    );
  });
});
