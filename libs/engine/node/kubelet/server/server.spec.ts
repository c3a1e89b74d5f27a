import { describe, expect, test } from '@jest/globals';
import type { PodHttpAnswer } from '../../../machinery/requests/http.js';
import { container, images, node, NOW, pod, readerOf, running, waiting } from '../testing.js';
import { serveKubelet } from './server.js';

const up = pod({}, { containerStatuses: [running('c')] });
const pending = pod({ containers: [container('d')] }, { containerStatuses: [waiting('d')] }, { name: 'new' });
const elsewhere = pod({ nodeName: 'worker-2' }, { containerStatuses: [running('c')] }, { name: 'far' });
const worker = node({ capacity: { pods: '50' }, conditions: [{ type: 'Ready', status: 'True' }] });

const serve = (path: string, method = 'GET', of = worker): PodHttpAnswer | { readonly error: string } =>
  serveKubelet(
    of,
    { scheme: 'https', port: 10250, method, path, headers: {}, body: '' },
    NOW,
    images,
    readerOf(up, pending, elsewhere),
  );
const json = (path: string): Record<string, unknown> =>
  JSON.parse(String((serve(path) as PodHttpAnswer).body)) as Record<string, unknown>;

test.each([
  ['/healthz', 'GET', 200, 'ok'],
  ['/healthz/', 'GET', 200, 'ok'],
  ['/healthz/syncloop', 'HEAD', 200, 'ok'],
  ['/metrics/cadvisor', 'GET', 200, '\n'],
  ['/nothing', 'GET', 404, '404 page not found\n'],
  ['/pods', 'POST', 405, '405: Method Not Allowed'],
])('%s %s: %d', (path, method, status, body) => {
  expect(serve(path, method)).toMatchObject({ status, body });
});

test('a node that is gone does not answer', () => {
  const gone = node({ conditions: [{ type: 'Ready', status: 'Unknown' }] });
  expect(serve('/healthz', 'GET', gone)).toEqual({ error: 'dial tcp 172.18.0.2:10250: i/o timeout' });
});

describe('what runs on the node', () => {
  const namesOf = (path: string): string[] =>
    (json(path)['items'] as { metadata: { name: string } }[]).map((item) => item.metadata.name);

  test('/pods: all of its pods', () => {
    expect(namesOf('/pods')).toEqual(['web', 'new']);
  });
  test('/runningpods: those with a container that runs, as the runtime knows them', () => {
    expect(namesOf('/runningpods')).toEqual(['web']);
    expect((json('/runningpods')['items'] as unknown[])[0]).toEqual({
      metadata: { name: 'web', namespace: 'shop', uid: 'u1' },
      spec: { containers: [{ name: 'c', image: 'nginx:1.27', resources: {} }] },
      status: {},
    });
  });
});

test('/configz follows from the node', () => {
  expect(json('/configz')['kubeletconfig']).toMatchObject({
    kind: 'KubeletConfiguration',
    maxPods: 50,
    podCIDR: '10.244.1.0/24',
  });
});

test('/stats/summary is indented by one space', () => {
  const { body } = serve('/stats/summary') as PodHttpAnswer;
  expect(String(body)).toMatch(/^{\n "node": {\n {2}"nodeName": "worker-1",\n/);
});

test.each([
  ['/containerLogs/shop/web/c', 200, ''],
  ['/containerLogs/shop/web/c?x=a?b&previous=1', 400, 'previous terminated container "c" in pod "web" not found\n'],
  ['/containerLogs/shop/web/c?tailLines=few', 400, 'strconv.ParseInt: parsing "few": invalid syntax\n'],
  ['/containerLogs/shop/web/c?tailLines=-1', 422, '{"message": "Invalid request."}'],
  ['/containerLogs/shop/none/c', 404, 'pod "none" does not exist\n'],
  ['/containerLogs/shop/new/d', 400, 'container "d" in pod "new" is waiting to start: ContainerCreating\n'],
  ['/containerLogs/shop/web/c?previous=true', 400, 'previous terminated container "c" in pod "web" not found\n'],
])('%s: %d', (path, status, body) => {
  expect(serve(path)).toMatchObject({ status, body });
});
