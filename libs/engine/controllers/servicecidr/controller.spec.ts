import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Service } from '../../api/core_v1.js';
import { ControllerBed } from '../../../testkit/beds/controller-bed.js';
import { IPAddresses, ServiceCIDRs, Services } from '../../kinds/index.js';
import { controller as addresses } from '../ipaddress/controller.js';
import { controller } from './controller.js';

const NEW = { namespace: '', name: 'new' };
let bed: ControllerBed;

const cidr = (name: string, text: string): unknown => bed.create(ServiceCIDRs, name, { spec: { cidrs: [text] } });
const service = (name: string): Service =>
  bed.create(Services, name, { spec: { ports: [{ port: 80 }], selector: { app: name } } });

beforeEach(() => {
  bed = new ControllerBed({ controllers: [addresses, controller] });
  cidr('kubernetes', '192.168.0.0/29');
  bed.settle();
});

test('it becomes ready, and is kept by a finalizer', () => {
  expect(bed.get(ServiceCIDRs, 'kubernetes')).toMatchObject({
    metadata: { finalizers: ['networking.k8s.io/service-cidr-finalizer'] },
    status: { conditions: [{ type: 'Ready', status: 'True', message: 'Kubernetes Service CIDR is ready' }] },
  });
});

describe('a range that is full', () => {
  beforeEach(() => {
    for (let i = 0; i < 6; i++) service(`s${i}`);
    bed.settle();
  });
  test('gives nothing more until there is another one', () => {
    expect(() => service('more')).toThrow('failed to allocate a serviceIP: range is full');
    cidr('new', '96.0.0.0/24');
    bed.settle();
    expect(service('more').spec.clusterIP).toMatch(/^96\.0\.0\./);
  });
  test('goes when it is deleted, but not before its last Service', () => {
    cidr('new', '96.0.0.0/24');
    bed.settle();
    const { clusterIP } = service('more').spec;
    bed.settle();
    bed.client.delete(ServiceCIDRs, NEW);
    bed.settle(60_000);
    expect(bed.get(ServiceCIDRs, 'new').status?.conditions).toMatchObject([
      {
        status: 'False',
        reason: 'Terminating',
        message:
          'There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR',
      },
    ]);
    bed.client.delete(Services, { namespace: 'default', name: 'more' });
    bed.settle(60_000);
    expect(bed.client.get(ServiceCIDRs, NEW)).toBeUndefined();
    expect(bed.client.get(IPAddresses, { namespace: '', name: clusterIP! })).toBeUndefined();
  });
});
