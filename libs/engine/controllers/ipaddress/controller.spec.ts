import { expect, test } from '@jest/globals';
import type { Service } from '../../api/core_v1.js';
import { ControllerBed } from '../../../testkit/beds/controller-bed.js';
import { IPAddresses, Services } from '../../kinds/index.js';
import { controller } from './controller.js';

const WEB = { namespace: 'default', name: 'web' };
const addressesOf = (bed: ControllerBed): (string | undefined)[] =>
  bed.client.list(IPAddresses).map(({ metadata }) => metadata.name);

function bedWith(spec: Partial<Service['spec']>): ControllerBed {
  const bed = new ControllerBed({ controllers: [controller] });
  bed.create(Services, 'web', { spec: { ports: [{ port: 80 }], selector: { app: 'web' }, ...spec } });
  bed.settle();
  return bed;
}

test('the cluster IP of a Service has an IPAddress, which goes with the Service', () => {
  const bed = bedWith({ clusterIP: '10.96.0.77' });
  expect(bed.client.get(IPAddresses, { namespace: '', name: '10.96.0.77' })).toMatchObject({
    metadata: {
      labels: {
        'ipaddress.kubernetes.io/ip-family': 'IPv4',
        'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
      },
    },
    spec: { parentRef: { resource: 'services', namespace: 'default', name: 'web' } },
  });
  bed.client.delete(Services, WEB);
  bed.settle();
  expect(addressesOf(bed)).toEqual([]);
});

test('one that is deleted comes again', () => {
  const bed = bedWith({ clusterIP: '10.96.0.77' });
  bed.client.delete(IPAddresses, { namespace: '', name: '10.96.0.77' });
  bed.settle();
  expect(addressesOf(bed)).toEqual(['10.96.0.77']);
});

test.each([[{ clusterIP: 'None' }], [{ type: 'ExternalName' as const, externalName: 'example.com' }]])(
  '%j has none',
  (spec) => expect(addressesOf(bedWith(spec))).toEqual([]),
);

test("an address that somebody has made is nobody's to delete, and no Service gets it", () => {
  const bed = new ControllerBed({ controllers: [controller] });
  const parentRef = { resource: 'services', namespace: 'default', name: 'web' };
  bed.create(IPAddresses, '10.96.0.78', { spec: { parentRef } });
  const spec = { clusterIP: '10.96.0.78', ports: [{ port: 80 }] };
  expect(() => bed.create(Services, 'web', { spec })).toThrow('failed to allocate IP 10.96.0.78');
  bed.settle();
  expect(addressesOf(bed)).toEqual(['10.96.0.78']);
});
