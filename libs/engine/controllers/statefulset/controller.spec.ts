import { describe, expect, it } from '@jest/globals';
import { ControllerBed, names, seconds } from '../../../testkit/beds/controller-bed.js';
import type { StatefulSet } from '../../api/apps_v1.js';
import { ControllerRevisions, PersistentVolumeClaims, Pods, StatefulSets } from '../../kinds/index.js';
import { controller } from './controller.js';

const statefulSet = (replicas: number, more: Partial<StatefulSet['spec']> = {}): StatefulSet => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'db', namespace: 'default' },
  spec: {
    replicas,
    serviceName: 'db',
    selector: { matchLabels: { app: 'db' } },
    template: { metadata: { labels: { app: 'db' } }, spec: { containers: [{ name: 'db', image: 'db:1' }] } },
    ...more,
  },
  status: { replicas: 0 },
});
const make = () => new ControllerBed({ controllers: [controller], readyAfter: () => seconds(2) });
function change(bed: ControllerBed, spec: (old: StatefulSet['spec']) => Partial<StatefulSet['spec']>): void {
  const db = bed.get(StatefulSets, 'db');
  bed.client.update(StatefulSets, { ...db, spec: { ...db.spec, ...spec(db.spec) } });
}
const image =
  (to: string) =>
  (old: StatefulSet['spec']): Partial<StatefulSet['spec']> => ({
    template: {
      ...old.template,
      spec: { ...old.template.spec!, containers: [{ ...old.template.spec!.containers[0]!, image: to }] },
    },
  });
const images = (bed: ControllerBed): string[] => bed.client.list(Pods).map((p) => p.spec.containers[0]!.image!);

describe('a StatefulSet', () => {
  it('starts one pod after the other, each with its claim', () => {
    const bed = make();
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      status: {},
    };
    bed.client.create(StatefulSets, statefulSet(2, { volumeClaimTemplates: [claim] }));
    bed.settle();
    expect(names(bed.client.list(Pods))).toEqual(['db-0']);
    bed.settle(seconds(2));
    expect(names(bed.client.list(Pods))).toEqual(['db-0', 'db-1']);
    bed.settle(seconds(10));
    expect(names(bed.client.list(PersistentVolumeClaims))).toEqual(['data-db-0', 'data-db-1']);
    expect(bed.events()).toEqual([
      'SuccessfulCreate create Claim data-db-0 Pod db-0 in StatefulSet db success',
      'SuccessfulCreate create Pod db-0 in StatefulSet db successful',
      'SuccessfulCreate create Claim data-db-1 Pod db-1 in StatefulSet db success',
      'SuccessfulCreate create Pod db-1 in StatefulSet db successful',
    ]);
    expect(bed.errors).toEqual([]);
    expect(bed.restart()).toBe(0);
  });

  it('that is Parallel starts them all', () => {
    const bed = make();
    bed.client.create(StatefulSets, statefulSet(3, { podManagementPolicy: 'Parallel' }));
    bed.settle();
    expect(names(bed.client.list(Pods))).toEqual(['db-0', 'db-1', 'db-2']);
  });

  it('is updated from the last pod down to the partition', () => {
    const bed = make();
    bed.client.create(
      StatefulSets,
      statefulSet(3, { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } } }),
    );
    bed.settle(seconds(20));
    change(bed, image('db:2'));
    bed.settle();
    expect(bed.events('SuccessfulDelete')).toEqual(['SuccessfulDelete delete Pod db-2 in StatefulSet db successful']);
    bed.settle(seconds(60));
    expect(images(bed)).toEqual(['db:1', 'db:2', 'db:2']);
    change(bed, () => ({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } } }));
    bed.settle(seconds(60));
    expect(images(bed)).toEqual(['db:2', 'db:2', 'db:2']);
    const { status } = bed.get(StatefulSets, 'db');
    expect(status).toMatchObject({
      replicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      currentReplicas: 3,
      updatedReplicas: 3,
    });
    expect(status.currentRevision).toBe(status.updateRevision);
    expect(
      bed.client
        .list(ControllerRevisions)
        .map((r) => r.revision)
        .sort(),
    ).toEqual([1, 2]);
  });

  it('shrinks from the end', () => {
    const bed = make();
    bed.client.create(StatefulSets, statefulSet(3));
    bed.settle(seconds(20));
    change(bed, () => ({ replicas: 1 }));
    bed.settle(seconds(60));
    expect(names(bed.client.list(Pods))).toEqual(['db-0']);
    expect(bed.events('SuccessfulDelete').map((e) => e.split(' ')[3])).toEqual(['db-2', 'db-1']);
  });
});
