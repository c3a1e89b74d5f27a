import { expect, test } from '@jest/globals';
import type { Pod } from '../engine/api/core_v1.js';
import { Pods } from '../engine/kinds/index.js';
import { ClusterBed } from '../testkit/beds/cluster-bed.js';

const ADMIN = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };

/** A pod with one container that runs, after its CPU or memory was set anew. */
function resize(requests: Record<string, string>, more: object = {}): { bed: ClusterBed; pod: Pod } {
  const bed = new ClusterBed();
  const container = { name: 'c', image: 'nginx', resources: { requests: { cpu: '1', memory: '64Mi' } }, ...more };
  bed.create(Pods, 'web', { spec: { containers: [container] } });
  bed.at(20);
  const body = new TextEncoder().encode(
    JSON.stringify({ spec: { containers: [{ name: 'c', resources: { requests } }] } }),
  );
  const headers = { 'content-type': 'application/strategic-merge-patch+json' };
  const path = '/api/v1/namespaces/default/pods/web/resize';
  const request = { method: 'PATCH', path, query: '', headers, body, user: ADMIN };
  expect(bed.cluster.handle(request, bed.cluster.state.now)).toMatchObject({ status: 200 });
  bed.at(60);
  return { bed, pod: bed.get(Pods, 'web') };
}

test('a container is resized without a restart', () => {
  const { bed, pod } = resize({ cpu: '2', memory: '64Mi' });
  const [status] = pod.status.containerStatuses!;
  expect(status).toMatchObject({ restartCount: 0, resources: { requests: { cpu: '2', memory: '64Mi' } } });
  expect(bed.events('web').map((e) => e.split(':')[0])).toEqual(
    expect.arrayContaining(['ResizeStarted', 'ResizeCompleted']),
  );
});

test('its policy may want a restart', () => {
  const resizePolicy = [{ resourceName: 'memory', restartPolicy: 'RestartContainer' }];
  const { bed, pod } = resize({ cpu: '1', memory: '128Mi' }, { resizePolicy });
  expect(pod.status.containerStatuses![0]).toMatchObject({
    restartCount: 1,
    resources: { requests: { memory: '128Mi' } },
  });
  expect(bed.events('web')).toContain('Killing: Container c resize requires restart');
  expect(pod.status.conditions!.map((c) => c.type)).not.toContain('PodResizeInProgress');
});

test('no node like this one has that much', () => {
  const { bed, pod } = resize({ cpu: '500', memory: '64Mi' });
  expect(pod.status.containerStatuses![0]!.resources).toEqual({ requests: { cpu: '1', memory: '64Mi' } });
  expect(pod.status.conditions!.find((c) => c.type === 'PodResizePending')).toMatchObject({
    status: 'True',
    reason: 'Infeasible',
    message: expect.stringMatching(/^Node didn't have enough capacity: cpu, requested: 500000, capacity: \d+$/),
  });
  expect(bed.events('web').map((e) => e.split(':')[0])).toContain('ResizeInfeasible');
});

test('it waits while the node has no room', () => {
  const { pod } = resize({ cpu: '3990m', memory: '64Mi' });
  expect(pod.status.conditions!.find((c) => c.type === 'PodResizePending')).toMatchObject({
    status: 'True',
    reason: 'Deferred',
    message: expect.stringMatching(/^Node didn't have enough resource: cpu, requested: 3990, used: \d+, capacity: /),
  });
});
