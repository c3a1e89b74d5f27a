import { expect, test } from '@jest/globals';
import { Pods } from '../engine/kinds/index.js';
import { ClusterBed } from '../testkit/beds/cluster-bed.js';

const ADMIN = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
const TIME = /\[01\/Jan\/2026:[0-9:]{8} \+0000\]/g;

function requestsIn({ cluster }: ClusterBed, pod: string, query = ''): string[] {
  const path = `/api/v1/namespaces/default/pods/${pod}/log`;
  const answer = cluster.handle({ method: 'GET', path, query, headers: {}, user: ADMIN }, cluster.state.now);
  return String((answer as { body?: unknown }).body)
    .split('\n')
    .filter((line) => line.includes('GET'))
    .map((line) => line.replaceAll(TIME, '[]'));
}

function start(bed: ClusterBed, image: string): void {
  const httpGet = { path: '/', port: 80 };
  const missing = { path: '/none', port: 80 };
  const probes = {
    readinessProbe: { httpGet, periodSeconds: 10 },
    livenessProbe: { httpGet: missing, periodSeconds: 10, failureThreshold: 10 },
  };
  bed.create(Pods, 'web', { spec: { nodeName: 'worker-1', containers: [{ name: 'c', image, ...probes }] } });
}

test.each([
  ['nginx:1.27', '10.244.1.1 - - [] "GET / HTTP/1.1" 200 615 "-" "kube-probe/1.36" "-"', '404 153'],
  ['httpd:2.4', '10.244.1.1 - - [] "GET / HTTP/1.1" 200 45', '404 196'],
])('%s has a line of each request of its kubelet, whoever looks', (image, line, failed) => {
  const bed = new ClusterBed('realistic');
  start(bed, image);
  bed.at(40);
  const lines = requestsIn(bed, 'web');
  expect(lines.filter((one) => one === line).length).toBeGreaterThan(1);
  expect(lines.some((one) => one.includes(`/none HTTP/1.1" ${failed}`))).toBe(true);
  expect(requestsIn(bed.at(60), 'web').slice(0, lines.length)).toEqual(lines);
  expect(requestsIn(bed, 'web', 'tailLines=1')).toHaveLength(1);
  const other = new ClusterBed('realistic');
  start(other, image);
  expect(requestsIn(other.at(60), 'web')).toEqual(requestsIn(bed, 'web'));
  expect(bed.cluster.state.revision).toBe(other.cluster.state.revision);
});
