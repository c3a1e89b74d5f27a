import { beforeEach, expect, it } from '@jest/globals';
import { ControllerBed } from '../../../testkit/beds/controller-bed.js';
import { Endpoints, EndpointSlices, Nodes, ServiceCIDRs, Services } from '../../kinds/index.js';
import { controller } from './controller.js';
import { apiService, KEY } from './objects.js';

let bed: ControllerBed;
beforeEach(() => {
  bed = new ControllerBed({ controllers: [controller] });
  const node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'cp', labels: { 'node-role.kubernetes.io/control-plane': '' } },
    spec: {},
    status: {},
  };
  bed.client.updateStatus(Nodes, {
    ...bed.client.create(Nodes, node),
    status: { addresses: [{ type: 'InternalIP', address: '172.18.0.2' }] },
  });
  bed.client.create(ServiceCIDRs, {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'ServiceCIDR',
    metadata: { name: 'kubernetes' },
    spec: { cidrs: ['10.96.0.0/12'] },
    status: {},
  });
  bed.client.create(Services, apiService('10.96.0.1'));
  bed.settle();
});

it.each([
  ['service', Services],
  ['endpoints', Endpoints],
  ['slice', EndpointSlices],
])('a deleted %s comes back', (_, kind) => {
  const before = bed.client.get<never>(kind as never, KEY) as unknown as { metadata: { uid: string } };
  bed.client.delete(kind as never, KEY);
  bed.settle();
  const after = bed.client.get<never>(kind as never, KEY) as unknown as { metadata: { uid: string } };
  expect(after.metadata.uid).not.toBe(before.metadata.uid);
  expect(bed.get(Services, 'kubernetes').spec.clusterIP).toBe('10.96.0.1');
  expect(bed.get(Endpoints, 'kubernetes').subsets![0]!.addresses).toEqual([{ ip: '172.18.0.2' }]);
  expect(bed.errors).toEqual([]);
  expect(bed.restart()).toBe(0);
});

it('another namespace may have its own', () => {
  bed.client.create(Services, { ...apiService('10.96.7.7'), metadata: { name: 'kubernetes', namespace: 'team' } });
  bed.settle();
  bed.client.delete(Services, { namespace: 'team', name: 'kubernetes' });
  bed.settle();
  expect(bed.client.list(Services, 'team')).toEqual([]);
});
