import { expect, test } from '@jest/globals';
import { CONFIG_MAPS, configMap, TestServer } from '../testing.js';

test('an object is shown in the version of its path', () => {
  const server = new TestServer();
  server.post('/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers', {
    metadata: { name: 'web' },
    spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
  });
  for (const version of ['v1', 'v2']) {
    const { body } = server.get(`/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers/web`);
    expect([body.kind, body.apiVersion, body.metadata.name]).toEqual([
      'HorizontalPodAutoscaler',
      `autoscaling/${version}`,
      'web',
    ]);
  }
});

test.each([
  [`${CONFIG_MAPS}/b`, 'configmaps "b" not found'],
  ['/api/v1/namespaces/none/configmaps/a', 'configmaps "a" not found'],
])('%s is not found', (url, message) => {
  const server = new TestServer();
  server.post(CONFIG_MAPS, configMap('a'));
  expect(server.get(url).body).toMatchObject({ code: 404, reason: 'NotFound', message });
});
