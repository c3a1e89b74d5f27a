import { describe, expect, test } from '@jest/globals';
import { pod, PODS, TestServer } from '../../apiserver/testing.js';

const refusal = (server: TestServer, body: unknown, url = PODS): string => server.post(url, body).body.message;
const resources = (requests: object, limits?: object): object => ({
  containers: [{ name: 'app', image: 'nginx', resources: { requests, limits } }],
});

describe('LimitRanger', () => {
  const limited = (limit: object): TestServer => {
    const server = new TestServer();
    server.post('/api/v1/namespaces/default/limitranges', {
      metadata: { name: 'limits' },
      spec: { limits: [{ type: 'Container', ...limit }] },
    });
    return server;
  };
  test('fills in defaults, and says so', () => {
    const { body } = limited({ default: { cpu: '1' }, defaultRequest: { cpu: '500m' } }).post(PODS, pod('web'));
    expect(body.spec.containers[0].resources).toEqual({ limits: { cpu: '1' }, requests: { cpu: '500m' } });
    expect(body.metadata.annotations['kubernetes.io/limit-ranger']).toBe(
      'LimitRanger plugin set: cpu request for container app; cpu limit for container app',
    );
  });
  test.each([
    [
      { max: { cpu: '1' } },
      resources({ cpu: '2' }, { cpu: '2' }),
      'pods "web" is forbidden: maximum cpu usage per Container is 1, but limit is 2',
    ],
    [
      { min: { memory: '100Mi' } },
      resources({ memory: '50Mi' }),
      'pods "web" is forbidden: minimum memory usage per Container is 100Mi, but request is 50Mi',
    ],
    [
      { maxLimitRequestRatio: { cpu: '2' } },
      resources({ cpu: '1' }, { cpu: '3' }),
      'pods "web" is forbidden: cpu max limit to request ratio per Container is 2, but provided ratio is 3.000000',
    ],
  ])('%j refuses %j', (limit, spec, message) =>
    expect(refusal(limited(limit), pod('web', spec as Record<string, unknown>))).toBe(message),
  );
});
