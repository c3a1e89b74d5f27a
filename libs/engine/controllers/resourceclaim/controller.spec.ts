import { expect, test } from '@jest/globals';
import type { Pod } from '../../api/core_v1.js';
import type { ResourceClaim } from '../../api/resource_v1.js';
import { Pods, ResourceClaims } from '../../kinds/index.js';
import { ControllerBed } from '../../../testkit/beds/controller-bed.js';
import { controller } from './controller.js';

const FINALIZER = 'resource.kubernetes.io/delete-protection';
const allocation = { devices: { results: [{ request: 'r', driver: 'd', pool: 'n', device: 'd0' }] } };
const KEY = { namespace: 'default', name: 'c' };

class ClaimBed extends ControllerBed {
  constructor() {
    super({ controllers: [controller], readyAfter: () => 'never' });
  }

  pod(name: string): Pod {
    return this.create(Pods, name, {
      spec: { containers: [{ name: 'c', image: 'nginx' }], resourceClaims: [{ name: 'gpu', resourceClaimName: 'c' }] },
    });
  }

  claim(pods: readonly Pod[], owner?: Pod): void {
    const metadata = {
      finalizers: [FINALIZER],
      ...(owner
        ? {
            ownerReferences: [
              { apiVersion: 'v1', kind: 'Pod', name: owner.metadata.name!, uid: owner.metadata.uid!, controller: true },
            ],
          }
        : {}),
    };
    const exactly = { deviceClassName: 'gpu' };
    const made = this.create(
      ResourceClaims,
      'c',
      { spec: { devices: { requests: [{ name: 'r', exactly }] } } },
      metadata,
    );
    const reservedFor = pods.map(({ metadata: m }) => ({ resource: 'pods', name: m.name!, uid: m.uid! }));
    this.client.updateStatus(ResourceClaims, { ...made, status: { allocation, reservedFor } });
    this.settle();
  }

  found(): ResourceClaim | undefined {
    return this.client.get(ResourceClaims, KEY);
  }
}

test('who has a claim keeps it', () => {
  const bed = new ClaimBed();
  bed.claim([bed.pod('a'), bed.pod('b')]);
  expect(bed.found()?.status.reservedFor).toHaveLength(2);
  bed.client.delete(Pods, { namespace: 'default', name: 'a' });
  bed.settle();
  expect(bed.found()?.status).toMatchObject({ allocation, reservedFor: [{ name: 'b' }] });
});

test.each(['deleted', 'ended'])('with the last pod, which is %s, go the devices', (how) => {
  const bed = new ClaimBed();
  const pod = bed.pod('a');
  bed.claim([pod]);
  if (how === 'deleted') bed.client.delete(Pods, { namespace: 'default', name: 'a' });
  else bed.finish(bed.get(Pods, 'a'), 'Succeeded');
  bed.settle();
  expect(bed.found()?.status).toEqual({});
  expect(bed.found()?.metadata.finalizers).toBeUndefined();
  expect(bed.errors).toEqual([]);
});

test('a claim that was made for a pod goes when that has ended', () => {
  const bed = new ClaimBed();
  const pod = bed.pod('a');
  bed.claim([pod], pod);
  bed.finish(bed.get(Pods, 'a'), 'Succeeded');
  bed.settle();
  expect(bed.found()).toBeUndefined();
});

test('a claim that is deleted waits for who has it', () => {
  const bed = new ClaimBed();
  bed.claim([bed.pod('a')]);
  bed.client.delete(ResourceClaims, KEY);
  bed.settle();
  expect(bed.found()?.metadata.deletionTimestamp).toBeDefined();
  bed.client.delete(Pods, { namespace: 'default', name: 'a' });
  bed.settle();
  expect(bed.found()).toBeUndefined();
});
