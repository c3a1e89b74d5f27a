import { expect, test } from '@jest/globals';
import type { NodeRuntime } from '../../kinds/terrarium/noderuntime/kind.js';
import { NOW } from '../kubelet/testing.js';
import { formatSnapshot } from './etcd/snapshot.js';
import { evaluateHost, type HostView } from './evaluate.js';
import { KUBELET_CONFIG, MANIFESTS } from './services/kubelet-start.js';
import { CP, diskOf, edited } from './testing.js';
import { formatUnit, unitFile } from './services/units.js';

type Changes = Readonly<Record<string, string | null>>;

const evaluate = (changes: Changes, before?: HostView): HostView =>
  evaluateHost({
    node: CP,
    disk: diskOf(CP, changes),
    before: before && ({ metadata: { name: 'cp' }, ...before } as NodeRuntime),
    now: NOW,
    isApiServer: (_host, port) => port === 6_443,
    imageFault: (image) => (image.includes('nope') ? 'not found' : undefined),
    emptyStoreFault: () => undefined,
  });

const unit = (isActive: boolean, run: string, hasFailed = false): Changes => ({
  [unitFile('kubelet')]: formatUnit({ isActive, run, hasFailed, since: NOW }),
});
const broken = edited(CP, KUBELET_CONFIG, 'pki/ca.crt', 'pki/none.crt');
const scheduler = `${MANIFESTS}/kube-scheduler.yaml`;

test.each<[string, Changes, HostView | undefined, string]>([
  ['nothing was touched', {}, undefined, 'running'],
  ['its configuration breaks while it runs', broken, undefined, 'running'],
  ['it is stopped', unit(false, 'a'), undefined, 'stopped'],
  ['it is started with a broken configuration', { ...broken, ...unit(true, 'a', true) }, undefined, 'failing'],
  ['the configuration is mended', unit(true, 'a', true), evaluate({ ...broken, ...unit(true, 'a', true) }), 'running'],
  ['it is started again', unit(true, 'b'), evaluate(unit(false, 'a')), 'running'],
])('the kubelet when %s', (_case, changes, before, expected) =>
  expect(evaluate(changes, before).kubelet.state).toBe(expected),
);

test('containerd is a service of its own', () => {
  const state = formatUnit({ isActive: false, run: 'a', hasFailed: false });
  const view = evaluate({ [unitFile('containerd')]: state });
  expect([view.containerd.state, view.kubelet.state]).toEqual(['stopped', 'running']);
});

const WEB = 'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: c, image: nginx }] }\n';

test.each<[string, Changes, Record<string, string> | undefined]>([
  ['nothing was touched', {}, undefined],
  ['a manifest is gone', { [scheduler]: null }, { 'kube-scheduler': 'no manifest' }],
  ['a manifest is no YAML', { [scheduler]: 'a: [' }, { 'kube-scheduler': 'no manifest' }],
  ['an image is wrong', edited(CP, scheduler, 'kube-scheduler:', 'nope:'), { 'kube-scheduler': 'not found' }],
  ['there is another pod', { [`${MANIFESTS}/web.yaml`]: WEB }, undefined],
])('the components when %s', (_case, changes, expected) => expect(evaluate(changes).broken).toEqual(expected));

test('a pod of a manifest has the digest of its file, an error the kubelet’s words', () => {
  const { manifests = [] } = evaluate({ [`${MANIFESTS}/web.yaml`]: WEB, [scheduler]: 'kind: Pod\napiVersion: v1' });
  expect(manifests.find(({ file }) => file === 'web.yaml')).toMatchObject({
    pod: { metadata: { name: 'web' } },
    hash: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  expect(manifests.find(({ file }) => file === 'kube-scheduler.yaml')?.error).toBe('invalid pod: name: Required value');
  expect(manifests.filter(({ pod }) => pod !== undefined)).toHaveLength(4);
});

test('a kubelet that is stopped looks at no manifest', () => {
  const before = evaluate({ [scheduler]: null });
  expect(evaluate({ ...unit(false, 'a') }, before).broken).toEqual({ 'kube-scheduler': 'no manifest' });
});

test('a component that runs does not miss a file before it starts again', () => {
  const files = { '/etc/kubernetes/scheduler.conf': null };
  expect(evaluate(files).broken).toBeUndefined();
  expect(evaluate({ ...files, ...edited(CP, scheduler, 'cpu: 100m', 'cpu: 110m') }).broken).toEqual({
    'kube-scheduler': expect.stringContaining('stat /etc/kubernetes/scheduler.conf: no such file or directory'),
  });
});

const etcd = `${MANIFESTS}/etcd.yaml`;
const server = `${MANIFESTS}/kube-apiserver.yaml`;

test('an API server ends with its etcd, and comes up with it', () => {
  const without = evaluate({ [etcd]: null });
  expect(without.broken).toEqual({
    etcd: 'no manifest',
    'kube-apiserver': expect.stringContaining('context deadline exceeded'),
  });
  expect(evaluate({}, without).broken).toBeUndefined();
});

test.each([
  [edited(CP, server, '--secure-port', '--foo'), 'Error: unknown flag: --foo'],
  [edited(CP, server, '127.0.0.1:2379', '127.0.0.1:2389'), 'dial tcp 127.0.0.1:2389: connect: connection refused'],
])('an API server says why it does not come up', (changes, expected) =>
  expect(evaluate(changes).broken).toEqual({ 'kube-apiserver': expect.stringContaining(expected) }),
);

test('the network is what the container runtime reads, while it runs', () => {
  const conflist = '/etc/cni/net.d/10-kindnet.conflist';
  expect(evaluate({}).network).toBeUndefined();
  const without = evaluate({ [conflist]: null });
  expect(without.network).toEqual({ error: 'cni plugin not initialized' });
  expect(evaluate({}, without).network).toBeUndefined();
  const stopped = formatUnit({ isActive: false, run: 'a', hasFailed: false });
  expect(evaluate({ [unitFile('containerd')]: stopped }, without).network).toEqual(without.network);
});

const DATA = '/var/lib/etcd/member/snap/db';
const restoredData = formatSnapshot({ hash: '', revision: 1, keys: 0, restored: 'a1' }, '[]');
/** etcd's manifest was away until now. */
const withoutEtcd = evaluate({ [etcd]: null });

test.each<[string, Changes, HostView | undefined, string | undefined]>([
  ['runs as it was set up', {}, undefined, undefined],
  ['runs on while its data are deleted', { [DATA]: null }, undefined, undefined],
  ['comes up with its data', {}, withoutEtcd, undefined],
  ['comes up without data', { [DATA]: null }, withoutEtcd, `empty-${NOW}`],
  ['comes up with data that were restored', { [DATA]: restoredData }, withoutEtcd, 'a1'],
  ['comes up with its first data again', {}, { ...withoutEtcd, restored: 'a1' }, undefined],
])('the store of an etcd that %s', (_case, changes, before, expected) => {
  const { restored, broken } = evaluate(changes, before);
  expect(restored).toBe(expected);
  expect(broken?.['etcd']).toBeUndefined();
});

test('an etcd that may not begin empty says why', () => {
  const facts = { node: CP, disk: diskOf(CP, { [DATA]: null }), before: withoutEtcd as NodeRuntime, now: NOW };
  const found = evaluateHost({
    ...facts,
    isApiServer: () => true,
    imageFault: () => undefined,
    emptyStoreFault: () => 'member a has already been bootstrapped',
  });
  expect(found.broken?.['etcd']).toBe('member a has already been bootstrapped');
});
