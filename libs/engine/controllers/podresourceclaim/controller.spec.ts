import { expect, test } from '@jest/globals';
import { Pods, ResourceClaims, ResourceClaimTemplates } from '../../kinds/index.js';
import { ControllerBed } from '../../../testkit/beds/controller-bed.js';
import { controller as resourceclaim } from '../resourceclaim/controller.js';
import { controller } from './controller.js';

const devices = { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu' } }] };
const newBed = (): ControllerBed =>
  new ControllerBed({ controllers: [controller, resourceclaim], readyAfter: () => 'never' });
const template = (bed: ControllerBed): unknown =>
  bed.create(ResourceClaimTemplates, 't', { spec: { metadata: { labels: { app: 'ai' } }, spec: { devices } } });
const pod = (bed: ControllerBed, name = 'p'): unknown =>
  bed.create(Pods, name, {
    spec: {
      containers: [{ name: 'c', image: 'nginx' }],
      resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 't' }],
    },
  });
const claims = (bed: ControllerBed) => bed.client.list(ResourceClaims, 'default');

test('a pod that names a template has a claim of its own, and says which', () => {
  const bed = newBed();
  template(bed);
  pod(bed);
  bed.settle();
  const [claim] = claims(bed);
  expect(claim).toMatchObject({
    metadata: {
      generateName: 'p-gpu-',
      labels: { app: 'ai' },
      annotations: { 'resource.kubernetes.io/pod-claim-name': 'gpu' },
      ownerReferences: [{ kind: 'Pod', name: 'p', controller: true, blockOwnerDeletion: true }],
    },
    spec: {
      devices: {
        requests: [{ name: 'r', exactly: { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 1 } }],
      },
    },
  });
  expect(bed.get(Pods, 'p').status.resourceClaimStatuses).toEqual([
    { name: 'gpu', resourceClaimName: claim!.metadata.name },
  ]);
  expect(bed.errors).toEqual([]);
});

test('a claim that was deleted is made again', () => {
  const bed = newBed();
  template(bed);
  pod(bed);
  bed.settle();
  const name = claims(bed)[0]!.metadata.name ?? '';
  bed.client.delete(ResourceClaims, { namespace: 'default', name });
  bed.settle();
  expect(claims(bed)).toHaveLength(1);
  expect(claims(bed)[0]!.metadata.name).not.toBe(name);
  expect(bed.get(Pods, 'p').status.resourceClaimStatuses?.[0]?.resourceClaimName).toBe(claims(bed)[0]!.metadata.name);
});

test('without its template there is none, until that comes', () => {
  const bed = newBed();
  pod(bed);
  bed.settle();
  expect(claims(bed)).toHaveLength(0);
  expect(bed.events()).toContain(
    'FailedResourceClaimCreation PodResourceClaim gpu: resource claim template "t": ' +
      'resourceclaimtemplate.resource.k8s.io "t" not found',
  );
  template(bed);
  bed.settle(60_000);
  expect(claims(bed)).toHaveLength(1);
});
