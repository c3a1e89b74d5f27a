import { expect, test } from '@jest/globals';
import { Pods } from '../engine/kinds/index.js';
import { ClusterBed } from '../testkit/beds/cluster-bed.js';

const CONTAINER = { name: 'c', image: 'registry.k8s.io/e2e-test-images/agnhost:2.53', args: ['liveness'] };

test.each([
  [60, 1],
  [300, 4],
])(
  'agnhost liveness, whose /healthz fails after 10 s, has restarted within %d s %d times at least',
  (seconds, most) => {
    const bed = new ClusterBed('realistic');
    const livenessProbe = { httpGet: { path: '/healthz', port: 8080 }, initialDelaySeconds: 5, failureThreshold: 1 };
    bed.create(Pods, 'p', { spec: { containers: [{ ...CONTAINER, livenessProbe }] } });
    const counts: number[] = [];
    for (let at = 10; at <= seconds; at += 10)
      counts.push(bed.at(at).get(Pods, 'p').status.containerStatuses?.[0]?.restartCount ?? 0);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(counts.at(-1)).toBeGreaterThanOrEqual(most);
    expect(bed.events('p')).toContain('Unhealthy: Liveness probe failed: HTTP probe failed with statuscode: 500');
    expect(bed.events('p')).toContain('Killing: Container c failed liveness probe, will be restarted');
  },
);
