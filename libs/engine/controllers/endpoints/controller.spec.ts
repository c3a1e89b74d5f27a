import { describe, expect, it, test } from '@jest/globals';
import { ControllerBed, seconds } from '../../../testkit/beds/controller-bed.js';
import type { Endpoints as EndpointsObject, EndpointSubset, PodSpec, Service } from '../../api/core_v1.js';
import { Endpoints, Pods, Services } from '../../kinds/index.js';
import { controller } from './controller.js';

const KEY = { namespace: 'default', name: 'web' };
const HTTP = { name: 'http', port: 80, targetPort: 'http' };

function newBed(spec: Partial<Service['spec']> = {}): ControllerBed {
  const bed = new ControllerBed({
    controllers: [controller],
    readyAfter: (pod) => (pod.metadata.name!.startsWith('slow') ? seconds(10) : 0),
  });
  bed.create(
    Services,
    'web',
    { spec: { clusterIP: 'None', clusterIPs: ['None'], selector: { app: 'web' }, ports: [HTTP], ...spec }, status: {} },
    { labels: { team: 'blue' } },
  );
  return bed;
}
function createPod(bed: ControllerBed, name: string, containerPort = 8080, spec: Partial<PodSpec> = {}): void {
  const containers = [{ name: 'c', image: 'nginx', ports: [{ name: 'http', containerPort }] }];
  bed.create(Pods, name, { spec: { containers, ...spec }, status: {} }, { labels: { app: 'web' } });
  bed.settle();
}
const endpoints = (bed: ControllerBed): EndpointsObject => bed.get(Endpoints, 'web');
const print = ({ addresses, notReadyAddresses, ports }: EndpointSubset): string =>
  [addresses, notReadyAddresses].map((list) => (list ?? []).map((a) => a.ip).join(',')).join(' | ') +
  ` : ${(ports ?? []).map((p) => p.port).join(',')}`;
const subsets = (bed: ControllerBed): string[] => (endpoints(bed).subsets ?? []).map(print);

describe('the Endpoints of a Service', () => {
  it('are its ready pods, on the port they name', () => {
    const bed = newBed();
    createPod(bed, 'a', 8080, { nodeName: 'worker', hostname: 'first', subdomain: 'web' });
    expect(endpoints(bed).metadata.labels).toEqual({
      team: 'blue',
      'endpoints.kubernetes.io/managed-by': 'endpoint-controller',
      'service.kubernetes.io/headless': '',
    });
    expect(endpoints(bed).metadata.annotations).toEqual({
      'endpoints.kubernetes.io/last-change-trigger-time': '2026-01-01T00:00:00Z',
    });
    expect(endpoints(bed).subsets).toEqual([
      {
        addresses: [
          {
            ip: '10.244.0.1',
            hostname: 'first',
            nodeName: 'worker',
            targetRef: { kind: 'Pod', namespace: 'default', name: 'a', uid: bed.get(Pods, 'a').metadata.uid },
          },
        ],
        ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
      },
    ]);
    expect(bed.errors).toEqual([]);
    expect(bed.restart()).toBe(0);
  });

  it('without pods have no subset', () => {
    const bed = newBed().settle();
    expect(endpoints(bed).subsets).toBeUndefined();
    expect(bed.restart()).toBe(0);
  });

  it('have a subset for each number behind a port', () => {
    const bed = newBed();
    createPod(bed, 'a', 8080);
    createPod(bed, 'b', 9090);
    createPod(bed, 'c', 8080);
    expect(subsets(bed)).toEqual(['10.244.0.1,10.244.0.3 |  : 8080', '10.244.0.2 |  : 9090']);
  });

  it('tell pods that are not ready from those that are, unless the Service publishes both', () => {
    const unready = (bed: ControllerBed): void => {
      const pod = bed.get(Pods, 'a');
      const conditions = [{ type: 'Ready', status: 'False' }];
      bed.client.updateStatus(Pods, { ...pod, status: { ...pod.status, conditions } });
      bed.settle();
    };
    const bed = newBed();
    createPod(bed, 'a');
    createPod(bed, 'b');
    unready(bed);
    expect(subsets(bed)).toEqual(['10.244.0.2 | 10.244.0.1 : 8080']);
    const publishing = newBed({ publishNotReadyAddresses: true });
    createPod(publishing, 'a');
    createPod(publishing, 'b');
    unready(publishing);
    expect(subsets(publishing)).toEqual(['10.244.0.1,10.244.0.2 |  : 8080']);
  });

  it('lose pods that have no address, have ended or are deleted', () => {
    const bed = newBed();
    for (const name of ['a', 'b', 'slow']) createPod(bed, name);
    expect(subsets(bed)).toEqual(['10.244.0.1,10.244.0.2 |  : 8080']);
    bed.finish(bed.get(Pods, 'a'), 'Succeeded');
    bed.settle();
    expect(subsets(bed)).toEqual(['10.244.0.2 |  : 8080']);
    bed.client.delete(Pods, { namespace: 'default', name: 'b' });
    bed.settle();
    expect(endpoints(bed).subsets).toBeUndefined();
    bed.settle(seconds(10));
    expect(subsets(bed)).toEqual(['10.244.0.3 |  : 8080']);
  });

  it('go with the Service', () => {
    const bed = newBed();
    createPod(bed, 'a');
    bed.client.delete(Services, KEY);
    bed.settle();
    expect(bed.client.list(Endpoints)).toHaveLength(0);
  });
});

test('more than 1000 pods are cut, and the annotation says so', () => {
  const bed = newBed();
  for (let i = 0; i < 1001; i++)
    bed.create(
      Pods,
      `p${i}`,
      { spec: { containers: [{ name: 'c', image: 'nginx', ports: [{ name: 'http', containerPort: 80 }] }] } },
      { labels: { app: 'web' } },
    );
  bed.settle();
  expect(endpoints(bed).subsets![0]!.addresses).toHaveLength(1000);
  expect(endpoints(bed).metadata.annotations!['endpoints.kubernetes.io/over-capacity']).toBe('truncated');
  bed.client.delete(Pods, { namespace: 'default', name: 'p7' });
  bed.settle();
  expect(endpoints(bed).subsets![0]!.addresses).toHaveLength(1000);
  expect(endpoints(bed).metadata.annotations).not.toHaveProperty(['endpoints.kubernetes.io/over-capacity']);
});

test.each([
  ['without a selector', { selector: undefined as never }],
  [
    'of another name',
    { type: 'ExternalName', externalName: 'example.com', clusterIP: undefined, clusterIPs: undefined },
  ],
])('a Service %s has the Endpoints that somebody makes for it', (_, spec) => {
  const bed = newBed(spec as never);
  createPod(bed, 'a');
  expect(bed.client.list(Endpoints)).toEqual([]);
  bed.create(Endpoints, 'web', { subsets: [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 1 }] }] });
  bed.settle();
  expect(subsets(bed)).toEqual(['192.0.2.1 |  : 1']);
  bed.client.delete(Services, KEY);
  bed.settle();
  expect(bed.client.list(Endpoints)).toHaveLength(1);
});
