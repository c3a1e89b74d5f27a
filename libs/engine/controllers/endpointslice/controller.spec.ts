import { describe, expect, it } from '@jest/globals';
import { ControllerBed, seconds } from '../../../testkit/beds/controller-bed.js';
import type { ReplicaSet } from '../../api/apps_v1.js';
import { EndpointSlices, Pods, ReplicaSets, Services } from '../../kinds/index.js';
import { controller as replicaset } from '../replicaset/controller.js';
import { controller } from './controller.js';

const set = (replicas: number): ReplicaSet => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'nginx', ports: [{ name: 'http', containerPort: 8080 }] }] },
    },
  },
  status: { replicas: 0 },
});
const service = (targetPort: number | string = 'http') => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace: 'default', labels: { team: 'blue' } },
  spec: {
    clusterIP: 'None',
    clusterIPs: ['None'],
    selector: { app: 'web' },
    ports: [{ name: 'http', port: 80, targetPort }],
  },
  status: {},
});
function settled(replicas: number): ControllerBed {
  const bed = new ControllerBed({ controllers: [controller, replicaset] });
  bed.client.create(Services, service());
  bed.client.create(ReplicaSets, set(replicas));
  return bed.settle();
}
const counts = (bed: ControllerBed): number[] =>
  bed.client
    .list(EndpointSlices)
    .map((s) => s.endpoints?.length ?? 0)
    .sort((a, b) => b - a);

describe('the endpoints of a service', () => {
  it('are its ready pods, on the port they name', () => {
    const bed = settled(2);
    const [slice] = bed.client.list(EndpointSlices);
    expect(slice!.metadata.name).toMatch(/^web-\w{5}$/);
    expect(slice!.metadata.labels).toEqual({
      team: 'blue',
      'kubernetes.io/service-name': 'web',
      'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
      'service.kubernetes.io/headless': '',
    });
    expect(slice!.ports).toEqual([{ name: 'http', port: 8080, protocol: 'TCP' }]);
    expect(slice!.endpoints!.map((e) => e.conditions)).toEqual(
      [1, 2].map(() => ({ ready: true, serving: true, terminating: false })),
    );
    expect(slice!.endpoints!.flatMap((e) => e.addresses).sort()).toEqual(['10.244.0.1', '10.244.0.2']);
    expect(bed.restart()).toBe(0);
    expect(bed.errors).toEqual([]);
  });

  it('fill slices of 100, and leave those that need no change alone', () => {
    const bed = settled(250);
    expect(counts(bed)).toEqual([100, 100, 50]);
    const before = new Map(bed.client.list(EndpointSlices).map((s) => [s.metadata.name, s.metadata.resourceVersion]));
    const victim = bed.client.list(EndpointSlices).find((s) => s.endpoints!.length === 50)!.endpoints![0]!
      .targetRef!.name!;
    bed.client.delete(Pods, { namespace: 'default', name: victim }, { gracePeriodSeconds: 0 });
    bed.settle(seconds(5));
    expect(counts(bed)).toEqual([100, 100, 50]);
    expect(
      bed.client.list(EndpointSlices).filter((s) => before.get(s.metadata.name) === s.metadata.resourceVersion),
    ).toHaveLength(2);
  });

  it('without pods are one empty slice', () => {
    const bed = settled(0);
    expect(counts(bed)).toEqual([0]);
    expect(bed.restart()).toBe(0);
  });
});
