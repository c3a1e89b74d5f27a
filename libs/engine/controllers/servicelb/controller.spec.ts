import { expect, test } from '@jest/globals';
import { ControllerBed } from '../../../testkit/beds/controller-bed.js';
import type { Service } from '../../api/core_v1.js';
import { Events, ServiceCIDRs, Services } from '../../kinds/index.js';
import { controller } from './controller.js';
import { freeAddress } from './pool.js';

const web = { namespace: 'default', name: 'web' };
const service = (name: string, spec: object): Service =>
  ({
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { ...web, name } },
    spec: { ports: [{ port: 80 }], selector: { app: 'web' }, ...spec },
    status: {},
  }) as never;

function make(spec: object): ControllerBed {
  const bed = new ControllerBed({ controllers: [controller] });
  bed.client.create(Services, service('web', spec));
  bed.settle();
  return bed;
}
const reasons = (bed: ControllerBed): (string | undefined)[] => bed.client.list(Events).map(({ reason }) => reason);

test('a load balancer has an address of the pool', () => {
  const bed = make({ type: 'LoadBalancer' });
  const { status, metadata } = bed.get(Services, 'web');
  expect(status?.loadBalancer).toEqual({ ingress: [{ ip: '172.18.255.200', ipMode: 'VIP' }] });
  expect(metadata.finalizers).toEqual(['service.kubernetes.io/load-balancer-cleanup']);
  expect(reasons(bed)).toEqual(['EnsuringLoadBalancer', 'EnsuredLoadBalancer']);
});

test('one of both families has an address of each, in their order', () => {
  const bed = new ControllerBed({ controllers: [controller] });
  const cidrs = ['10.96.0.0/12', 'fd00:10:96::/112'];
  bed.client.create(ServiceCIDRs, {
    ...{ apiVersion: 'networking.k8s.io/v1', kind: 'ServiceCIDR', metadata: { name: 'kubernetes' } },
    spec: { cidrs },
  } as never);
  const families = { ipFamilies: ['IPv6', 'IPv4'], ipFamilyPolicy: 'RequireDualStack' };
  bed.client.create(Services, service('web', { type: 'LoadBalancer', ...families }));
  bed.settle();
  expect(bed.get(Services, 'web').status?.loadBalancer?.ingress?.map(({ ip }) => ip)).toEqual([
    'fc00:f853:ccd:e793::ffc8',
    '172.18.255.200',
  ]);
});

test('the next one has the next', () => {
  const bed = make({ type: 'LoadBalancer' });
  bed.client.create(Services, service('api', { type: 'LoadBalancer' }));
  bed.settle();
  expect(bed.get(Services, 'api').status?.loadBalancer?.ingress?.[0]?.ip).toBe('172.18.255.201');
});

test.each([
  ['of a class', { type: 'LoadBalancer', loadBalancerClass: 'example.com/lb' }],
  ['of another type', { type: 'NodePort' }],
])('a Service %s is left alone', (_case, spec) => {
  const bed = make(spec);
  expect(bed.get(Services, 'web').status?.loadBalancer).toEqual({});
  expect(reasons(bed)).toEqual([]);
});

test('it goes when it is deleted, and lets go of its address', () => {
  const bed = make({ type: 'LoadBalancer' });
  bed.client.delete(Services, web);
  bed.settle();
  expect(bed.client.get(Services, web)).toBeUndefined();
  expect(reasons(bed).slice(-2)).toEqual(['DeletingLoadBalancer', 'DeletedLoadBalancer']);
});

test('as another type it is held no longer', () => {
  const bed = make({ type: 'LoadBalancer' });
  const found = bed.get(Services, 'web');
  bed.client.update(Services, { ...found, spec: { ...found.spec, type: 'ClusterIP' } });
  bed.settle();
  expect(bed.get(Services, 'web').metadata.finalizers ?? []).toEqual([]);
});

test('the pool ends', () => {
  const all = Array.from({ length: 51 }, (_none, i) => ({
    status: { loadBalancer: { ingress: [{ ip: `172.18.255.${200 + i}` }] } },
  }));
  expect(freeAddress(all as never)).toBeUndefined();
  expect(freeAddress(all.slice(1) as never)).toBe('172.18.255.200');
});
