import { describe, expect, it, test } from '@jest/globals';
import { ControllerBed, names, seconds, type BedOptions } from '../../../testkit/beds/controller-bed.js';
import type { ReplicaSet } from '../../api/apps_v1.js';
import type { Pod } from '../../api/core_v1.js';
import { plugin as resourcequota } from '../../admission/resourcequota/plugin.js';
import { Pods, ReplicaSets, ResourceQuotas } from '../../kinds/index.js';
import { controllerOf } from '../../machinery/meta/object.js';
import { controller } from './controller.js';

const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx' }] } };

function newBed(spec: Partial<ReplicaSet['spec']> = {}, options: Partial<BedOptions> = {}): ControllerBed {
  const bed = new ControllerBed({ controllers: [controller], ...options });
  bed.create(ReplicaSets, 'web', {
    spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template, ...spec },
    status: { replicas: 0 },
  });
  return bed.settle();
}
const pods = (bed: ControllerBed): readonly Pod[] => bed.client.list(Pods);
const statusOf = (bed: ControllerBed): ReplicaSet['status'] => bed.get(ReplicaSets, 'web').status;
function scale(bed: ControllerBed, replicas: number): void {
  const web = bed.get(ReplicaSets, 'web');
  bed.client.update(ReplicaSets, { ...web, spec: { ...web.spec, replicas } });
  bed.settle();
}

describe('a ReplicaSet', () => {
  it('creates its pods, owns them and counts them', () => {
    const bed = newBed();
    const [first, second] = names(pods(bed));
    expect(first).toMatch(/^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    expect(pods(bed).map((p) => controllerOf(p))).toEqual(
      [1, 2].map(() => ({
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        name: 'web',
        uid: bed.get(ReplicaSets, 'web').metadata.uid,
        controller: true,
        blockOwnerDeletion: true,
      })),
    );
    expect(bed.events().sort()).toEqual([first, second].map((name) => `SuccessfulCreate Created pod: ${name}`).sort());
    expect(statusOf(bed)).toEqual({
      replicas: 2,
      terminatingReplicas: 0,
      fullyLabeledReplicas: 2,
      readyReplicas: 2,
      availableReplicas: 2,
      observedGeneration: 1,
    });
    expect(bed.errors).toEqual([]);
    expect(bed.restart()).toBe(0);
  });

  it('replaces a pod that was deleted and one that has failed', () => {
    const bed = newBed();
    const [deleted, failed] = pods(bed);
    bed.client.delete(Pods, { namespace: 'default', name: deleted!.metadata.name! });
    bed.finish(failed!, 'Failed');
    bed.settle();
    expect(pods(bed).filter((p) => p.status.phase === 'Running')).toHaveLength(2);
    expect(statusOf(bed).replicas).toBe(2);
  });

  it('deletes what is too much, unready pods first', () => {
    const bed = newBed({ replicas: 3 }, { readyAfter: (pod) => (pod.metadata.labels!['app'] ? 0 : 'never') });
    const unready = pods(bed)[1]!;
    bed.client.updateStatus(Pods, {
      ...unready,
      status: { ...unready.status, conditions: [{ type: 'Ready', status: 'False' }] },
    });
    scale(bed, 2);
    expect(bed.events('SuccessfulDelete')).toEqual([`SuccessfulDelete Deleted pod: ${unready.metadata.name}`]);
    expect(pods(bed)).toHaveLength(2);
  });

  it('counts a pod as available when it has been ready for minReadySeconds', () => {
    const bed = newBed({ minReadySeconds: 30 });
    expect([statusOf(bed).readyReplicas, statusOf(bed).availableReplicas]).toEqual([2, undefined]);
    bed.settle(seconds(30));
    expect([statusOf(bed).readyReplicas, statusOf(bed).availableReplicas]).toEqual([2, 2]);
  });

  it('adopts orphans that its selector matches, and releases pods that it matches no longer', () => {
    const bed = newBed();
    scale(bed, 3);
    const [released] = pods(bed);
    bed.client.update(Pods, { ...released!, metadata: { ...released!.metadata, labels: { app: 'other' } } });
    bed.settle();
    expect(controllerOf(bed.get(Pods, released!.metadata.name!))).toBeUndefined();
    expect(pods(bed)).toHaveLength(4);
    const back = bed.get(Pods, released!.metadata.name!);
    bed.client.update(Pods, { ...back, metadata: { ...back.metadata, labels: { app: 'web' } } });
    bed.settle();
    expect(pods(bed)).toHaveLength(3);
    expect(pods(bed).map((p) => controllerOf(p)?.name)).toEqual(['web', 'web', 'web']);
  });
});

test('a ReplicaSet whose pods are refused says so, and tries again later each time', () => {
  const bed = new ControllerBed({ controllers: [controller], plugins: [resourcequota] });
  bed.create(ResourceQuotas, 'few', { spec: { hard: { pods: '1' } }, status: {} });
  bed.create(ReplicaSets, 'web', {
    spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template },
    status: { replicas: 0 },
  });
  bed.settle();
  expect(pods(bed)).toHaveLength(1);
  const refusal =
    /^FailedCreate Error creating: pods "web-\w{5}" is forbidden: exceeded quota: few, requested: pods=1, used: pods=1, limited: pods=1$/;
  expect(bed.events('FailedCreate')[0]).toMatch(refusal);
  const [condition] = statusOf(bed).conditions!;
  expect([condition!.type, condition!.status, condition!.reason]).toEqual(['ReplicaFailure', 'True', 'FailedCreate']);
  expect(`FailedCreate Error creating: ${condition!.message}`).toMatch(refusal);

  const quota = bed.get(ResourceQuotas, 'few');
  bed.client.update(ResourceQuotas, { ...quota, spec: { hard: { pods: '2' } } });
  bed.settle(seconds(60));
  expect(pods(bed)).toHaveLength(2);
  expect(statusOf(bed).conditions).toBeUndefined();
});
