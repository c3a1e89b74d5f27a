import { expect, test } from '@jest/globals';
import { ClusterBed } from '../../testkit/beds/cluster-bed.js';
import { PersistentVolumeClaims, Pods } from '../kinds/index.js';

const PODS = ['a', 'b', 'c', 'd'];

function createPodWithClaim(bed: ClusterBed, name: string): void {
  bed.create(PersistentVolumeClaims, name, {
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  });
  bed.create(Pods, name, {
    spec: {
      containers: [{ name: 'c', image: 'nginx:1.27', resources: { requests: { cpu: '500m' } } }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: name } }],
    },
  });
}

test.each(['instant', 'realistic'] as const)(
  'at %s speed, pods that wait for their volumes together are spread over the nodes',
  (speed) => {
    const bed = new ClusterBed(speed, 2);
    for (const name of PODS) createPodWithClaim(bed, name);
    bed.at(60);
    const nodes = PODS.map((name) => bed.get(Pods, name).spec.nodeName!);
    expect([...nodes].sort()).toEqual(['worker-1', 'worker-1', 'worker-2', 'worker-2']);
    const selected = PODS.map(
      (name) => bed.get(PersistentVolumeClaims, name).metadata.annotations?.['volume.kubernetes.io/selected-node'],
    );
    expect(selected).toEqual(nodes);
    expect(bed.errors).toEqual([]);
  },
);
