import { describe, expect, test } from '@jest/globals';
import { ControllerBed } from '../../../testkit/beds/controller-bed.js';
import type { Endpoints as EndpointsObject } from '../../api/core_v1.js';
import { Endpoints, EndpointSlices, Services } from '../../kinds/index.js';
import { controller } from './controller.js';

const SUBSETS = [{ addresses: [{ ip: '10.1.2.3' }], ports: [{ name: 'http', port: 80, protocol: 'TCP' }] }];

function newBed(selector?: Record<string, string>, own: Partial<EndpointsObject['metadata']> = {}): ControllerBed {
  const bed = new ControllerBed({ controllers: [controller] });
  const ports = [{ name: 'http', port: 80, protocol: 'TCP' }];
  const spec = { clusterIP: 'None', clusterIPs: ['None'], ports, ...(selector ? { selector } : {}) };
  bed.create(Services, 'web', { spec, status: {} });
  bed.create(Endpoints, 'web', { subsets: SUBSETS }, own);
  bed.settle();
  return bed;
}
const slices = (bed: ControllerBed): string[] =>
  bed.client
    .list(EndpointSlices)
    .map(({ endpoints = [], ports = [] }) => `${endpoints.map((e) => e.addresses[0]).join()}:${ports[0]?.port}`);

test('a slice says what an Endpoints object says, and follows it', () => {
  const bed = newBed(undefined, { labels: { app: 'db' }, annotations: { team: 'blue' } });
  const [slice] = bed.client.list(EndpointSlices);
  expect(slice?.metadata).toMatchObject({
    labels: {
      app: 'db',
      'kubernetes.io/service-name': 'web',
      'endpointslice.kubernetes.io/managed-by': 'endpointslicemirroring-controller.k8s.io',
    },
    annotations: { team: 'blue' },
    ownerReferences: [{ kind: 'Endpoints', name: 'web', controller: true, blockOwnerDeletion: true }],
  });
  expect(slice?.metadata.generateName).toBe('web-');
  expect(slices(bed)).toEqual(['10.1.2.3:80']);
  expect(bed.restart()).toBe(0);

  const stored = bed.get(Endpoints, 'web');
  bed.client.update(Endpoints, { ...stored, subsets: [{ ...SUBSETS[0], addresses: [{ ip: '10.2.3.4' }] }] });
  bed.settle();
  expect(slices(bed)).toEqual(['10.2.3.4:80']);

  bed.client.delete(Endpoints, { namespace: 'default', name: 'web' });
  bed.settle();
  expect(slices(bed)).toEqual([]);
  expect(bed.errors).toEqual([]);
});

describe('nothing is mirrored', () => {
  test.each<[string, Record<string, string> | undefined, Partial<EndpointsObject['metadata']>]>([
    ['of a Service that selects pods', { app: 'web' }, {}],
    ['that asks not to be', undefined, { labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } }],
    ['that elects a leader', undefined, { annotations: { 'control-plane.alpha.kubernetes.io/leader': '{}' } }],
  ])('%s', (_case, selector, own) => {
    expect(slices(newBed(selector, own))).toEqual([]);
  });
});
