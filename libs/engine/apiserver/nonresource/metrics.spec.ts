import { expect, test } from '@jest/globals';
import { configMap, TestServer } from '../testing.js';
import { HEALTH_CHECKS } from './health.js';
import { metrics, sliMetrics } from './metrics.js';

const server = new TestServer();
const linesOf = (): string[] => String(metrics(server.server).body).split('\n');
const find = (prefix: string): string | undefined => linesOf().find((line) => line.startsWith(prefix));

test('each metric has its help and its type', () =>
  expect(linesOf().filter((line) => line.startsWith('# TYPE'))).toEqual([
    '# TYPE apiserver_request_total counter',
    '# TYPE apiserver_resource_objects gauge',
    '# TYPE apiserver_storage_objects gauge',
    '# TYPE kubernetes_build_info gauge',
    '# TYPE kubernetes_healthcheck gauge',
  ]));

test('objects are counted by resource', () => {
  const before = 'apiserver_resource_objects{group="",resource="configmaps"} 0';
  expect(linesOf()).toContain(before);
  server.post('/api/v1/namespaces/default/configmaps', configMap('a'));
  expect(linesOf()).not.toContain(before);
  expect(find('apiserver_resource_objects{group="",resource="configmaps"}')).toMatch(/ 1$/);
  expect(find('apiserver_storage_objects{resource="configmaps"}')).toMatch(/ 1$/);
  expect(find('apiserver_storage_objects{resource="deployments.apps"}')).toMatch(/ 0$/);
});

test('reviews and internal kinds have no objects to count', () => {
  expect(find('apiserver_resource_objects{group="authentication.k8s.io"')).toBeUndefined();
  for (const kind of server.registry.all().filter((k) => k.internal))
    expect(find(`apiserver_resource_objects{group="${kind.group}",resource="${kind.plural}"}`)).toBeUndefined();
});

test('the build is that of the version', () =>
  expect(find('kubernetes_build_info{')).toMatch(/compiler="gc",.*major="1",minor="36",platform="linux\/amd64"\} 1$/));

test('/metrics/slis has the health checks alone', () => {
  const lines = String(sliMetrics().body)
    .split('\n')
    .filter((line) => line && !line.startsWith('#'));
  expect(lines).toHaveLength(Object.values(HEALTH_CHECKS).flat().length);
  expect(lines).toContain('kubernetes_healthcheck{name="etcd",type="readyz"} 1');
});
