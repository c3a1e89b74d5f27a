import { expect, test } from '@jest/globals';
import { makeTemplate } from '../engine/cluster/template.js';
import { Cluster, defaultWorkers } from '../engine/index.js';
import { Nodes, Pods } from '../engine/kinds/index.js';
import { ClusterBed } from '../testkit/beds/cluster-bed.js';
import { catalog } from './index.js';

const ADMIN = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
const HEADERS = { connection: 'Upgrade', upgrade: 'websocket' };
const NODE = 'worker-1';
const MANIFEST = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'st' },
  spec: { containers: [{ name: 'c', image: 'nginx' }] },
});
const MANIFESTS = '/etc/kubernetes/manifests';
const WRITE = `echo '${MANIFEST}' > ${MANIFESTS}/st.json`;

/** A command in a node's shell whose output nobody reads. */
function type({ cluster }: Pick<ClusterBed, 'cluster'>, script: string, node = NODE): void {
  const command = ['sh', '-c', script].map((word) => `command=${encodeURIComponent(word)}`).join('&');
  const path = `/api/v1/nodes/${node}/shell`;
  const request = { method: 'GET', path, query: `stdout=1&${command}`, headers: HEADERS, body: undefined, user: ADMIN };
  const opened = cluster.handle(request, cluster.state.now);
  if (opened.type !== 'session') throw new Error(JSON.stringify(opened));
}

const phaseOf = ({ client }: ClusterBed): string | undefined =>
  client.get(Pods, { namespace: 'default', name: `st-${NODE}` })?.status.phase;

test.each<readonly [string, string, ...(readonly [number, string | undefined])[]]>([
  ['writes after it has waited', `sleep 20; ${WRITE}; sleep 1000`, [15, undefined], [40, 'Running']],
  ['writes in the background', `(sleep 20; ${WRITE}) & sleep 1000`, [15, undefined], [40, 'Running']],
  [
    'moves a manifest away and back',
    `${WRITE}; sleep 30; mv ${MANIFESTS}/st.json /opt; sleep 40; mv /opt/st.json ${MANIFESTS}; sleep 1000`,
    [25, 'Running'],
    [65, undefined],
    [99, 'Running'],
  ],
  [
    'waits for what another leaves there',
    `until [ -f /opt/go ]; do sleep 1; done; ${WRITE}; sleep 1000`,
    [15, undefined],
  ],
])('a shell of a node that %s', (_name, script, ...expected) => {
  const bed = new ClusterBed();
  type(bed, script);
  for (const [at, phase] of expected) expect([at, phaseOf(bed.at(at))]).toEqual([at, phase]);
  expect(bed.errors).toEqual([]);
});

test('a shell goes on with what another shell of its node has left', () => {
  const bed = new ClusterBed();
  type(bed, `until [ -f /opt/go ]; do sleep 1; done; ${WRITE}; sleep 1000`);
  expect(phaseOf(bed.at(30))).toBeUndefined();
  type(bed, 'touch /opt/go');
  expect(phaseOf(bed.at(60))).toBe('Running');
});

test.each(['', 'sleep 0.1; ', 'sleep 3; '])('a later shell that writes, and ends: %s', (before) => {
  const bed = new ClusterBed();
  type(bed, WRITE);
  expect(phaseOf(bed.at(30))).toBe('Running');
  type(bed, `${before}mv ${MANIFESTS}/st.json /opt`);
  expect(phaseOf(bed.at(70))).toBeUndefined();
});

test('a kubelet is stopped by a script that has waited', () => {
  const bed = new ClusterBed();
  type(bed, 'sleep 10; systemctl stop kubelet; sleep 1000');
  bed.at(80);
  const node = bed.get(Nodes, NODE);
  expect(node.status.conditions?.find(({ type }) => type === 'Ready')?.status).toBe('Unknown');
});

test('a mirror pod goes with its manifest', () => {
  const bed = new ClusterBed();
  type(bed, WRITE);
  expect(phaseOf(bed.at(30))).toBe('Running');
  type(bed, `rm ${MANIFESTS}/st.json`);
  expect(phaseOf(bed.at(70))).toBeUndefined();
});

test('what a shell asks of the API server is asked in its time', () => {
  const cluster = new Cluster({ seed: 'shells', images: catalog, strict: true, tokenKey: 'shells' });
  cluster.load(makeTemplate({ workers: defaultWorkers(1), speed: 'instant' }, catalog));
  const { now } = cluster.state;
  type({ cluster }, 'sleep 20; kubectl run made --image=nginx; sleep 1000', 'control-plane');
  cluster.advance(now + 60_000);
  const { metadata } = cluster.client(ADMIN).get(Pods, { namespace: 'default', name: 'made' })!;
  const after = Date.parse(metadata.creationTimestamp ?? '') - now;
  expect([Math.ceil(after / 1_000)]).toEqual([20]);
});

/** A pod on one node whose script has the node's disk at /h. */
function start(bed: ClusterBed, name: string, script: string): void {
  const volumeMounts = [{ name: 'h', mountPath: '/h' }];
  const containers = [{ name: 'c', image: 'busybox', command: ['sh', '-c', script], volumeMounts }];
  const volumes = [{ name: 'h', hostPath: { path: MANIFESTS } }];
  bed.create(Pods, name, { spec: { nodeName: NODE, containers, volumes } });
}

test.each([
  ['sleeps', `echo '${MANIFEST}' > /h/st.json; sleep 100000`],
  ['sleeps for ever', `echo '${MANIFEST}' > /h/st.json; sleep infinity`],
  ['goes round', `echo '${MANIFEST}' > /h/st.json; while true; do sleep 30; done`],
  ['goes round before', `while true; do sleep 15; [ -f /h/st.json ] || echo '${MANIFEST}' > /h/st.json; done`],
  ['follows', `echo '${MANIFEST}' > /h/st.json; tail -f /dev/null`],
])('a container that writes a manifest and then %s', (_name, script) => {
  const bed = new ClusterBed();
  start(bed, 'writer', script);
  expect(phaseOf(bed.at(60))).toBe('Running');
});
