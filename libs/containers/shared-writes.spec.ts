import { expect, test } from '@jest/globals';
import { Pods } from '../engine/kinds/index.js';
import { ClusterBed } from '../testkit/beds/cluster-bed.js';

const ADMIN = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
const DAY = 24 * 60 * 60;
const NODE = 'worker-1';
const MANIFEST = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'st' },
  spec: { containers: [{ name: 'c', image: 'nginx' }] },
});

/** A pod on one node whose script has a folder of the node's disk at /h. */
function start(bed: ClusterBed, name: string, script: string, path = '/srv'): void {
  const container = {
    name: 'c',
    image: 'busybox',
    command: ['sh', '-c', script],
    volumeMounts: [{ name: 'h', mountPath: '/h' }],
  };
  const volumes = [{ name: 'h', hostPath: { path, type: 'DirectoryOrCreate' } }];
  bed.create(Pods, name, { spec: { nodeName: NODE, restartPolicy: 'Never', containers: [container], volumes } });
}

function logOf({ cluster }: ClusterBed, pod: string): string {
  const path = `/api/v1/namespaces/default/pods/${pod}/log`;
  const answer = cluster.handle({ method: 'GET', path, query: '', headers: {}, user: ADMIN }, cluster.state.now);
  return String((answer as { body?: unknown }).body);
}

test('what a container leaves on its node before it only waits is there for another, though nobody has looked', () => {
  const bed = new ClusterBed();
  start(bed, 'writer', 'sleep 3; echo kept > /h/x; sleep 100000');
  bed.at(20);
  start(bed, 'reader', 'cat /h/x');
  expect(logOf(bed.at(40), 'reader')).toBe('kept\n');
  expect(bed.errors).toEqual([]);
});

test.each([
  ['after a pipe', 'cat /proc/mounts | cat; echo kept > /h/x'],
  ['within its first second', 'sleep 0.7; echo kept > /h/x'],
])('what a container leaves as it ends, %s, is there for another', (_, script) => {
  const bed = new ClusterBed('realistic');
  start(bed, 'writer', script);
  bed.at(20);
  start(bed, 'reader', 'cat /h/x');
  expect(logOf(bed.at(60), 'reader')).toBe('kept\n');
  expect(bed.errors).toEqual([]);
});

test('a container that waits for another’s file goes on when it is there', () => {
  const bed = new ClusterBed();
  start(bed, 'waiter', 'until [ -f /h/x ]; do sleep 1; done; cat /h/x');
  start(bed, 'writer', 'sleep 60; echo late > /h/x; sleep 100000');
  expect(bed.at(50).get(Pods, 'waiter').status.phase).toBe('Running');
  expect(bed.at(80).get(Pods, 'waiter').status.phase).toBe('Succeeded');
  expect(logOf(bed, 'waiter')).toBe('late\n');
});

test('a manifest that a job in the background writes begins a static pod when it is written', () => {
  const bed = new ClusterBed();
  const script = `(sleep 30; echo '${MANIFEST}' > /h/st.json) & sleep 100000`;
  start(bed, 'writer', script, '/etc/kubernetes/manifests');
  bed.at(25);
  expect(bed.client.get(Pods, { namespace: 'default', name: `st-${NODE}` })).toBeUndefined();
  expect(bed.at(60).get(Pods, `st-${NODE}`).status.phase).toBe('Running');
});

test('no line is written twice when another pod’s writes are written down meanwhile', () => {
  const bed = new ClusterBed();
  const loop = (name: string) => `i=0; while true; do echo ${name} $((i++)) >> /h/log; sleep 1; done`;
  start(bed, 'a', loop('a'));
  start(bed, 'b', loop('b'));
  for (const seconds of [30, 45, 100, 400]) logOf(bed.at(seconds), 'a');
  start(bed, 'reader', 'sort /h/log | uniq -d | wc -l; wc -l < /h/log');
  const [doubled, lines] = logOf(bed.at(420), 'reader').split('\n').map(Number);
  expect(doubled).toBe(0);
  expect(lines).toBeGreaterThan(400);
});

test('a loop that writes for ever is written down a few hundred times a day', () => {
  const bed = new ClusterBed();
  start(bed, 'writer', 'while true; do date >> /h/log; sleep 1; done');
  const { revision } = bed.at(10).cluster.state;
  for (let hour = 1; hour <= 24; hour++) bed.at(10 + (hour * DAY) / 24);
  expect(bed.cluster.state.revision - revision).toBeLessThan(1_500);
  expect(bed.errors).toEqual([]);
});
