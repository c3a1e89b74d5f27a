import { expect, test } from '@jest/globals';
import { Pods } from '../engine/kinds/index.js';
import { ClusterBed } from '../testkit/beds/cluster-bed.js';

const ADMIN = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };

/** What `ps` prints in an ephemeral container. */
function debug(target: object): string {
  const bed = new ClusterBed();
  const container = { name: 'c', image: 'busybox', command: ['sleep', '3600'] };
  bed.create(Pods, 'web', { spec: { containers: [container] } });
  bed.at(20);
  const ephemeral = { name: 'dbg', image: 'busybox', command: ['ps'], ...target };
  const body = new TextEncoder().encode(JSON.stringify({ spec: { ephemeralContainers: [ephemeral] } }));
  const path = '/api/v1/namespaces/default/pods/web';
  const headers = { 'content-type': 'application/strategic-merge-patch+json' };
  const patch = { method: 'PATCH', path: `${path}/ephemeralcontainers`, query: '', headers, body, user: ADMIN };
  expect(bed.cluster.handle(patch, bed.cluster.state.now)).toMatchObject({ status: 200 });
  bed.at(40);
  const get = { method: 'GET', path: `${path}/log`, query: 'container=dbg', headers: {}, user: ADMIN };
  return String((bed.cluster.handle(get, bed.cluster.state.now) as { body?: unknown }).body);
}

test.each([
  [{}, false],
  [{ targetContainerName: 'c' }, true],
])('with %j an ephemeral container sees the processes of its target: %s', (target, expected) => {
  const printed = debug(target);
  expect(printed).toContain('ps');
  expect(printed.includes('sleep 3600')).toBe(expected);
});
