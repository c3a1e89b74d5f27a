import { beforeAll, describe, expect, test } from '@jest/globals';
import { catalog } from '../../containers/index.js';
import type { Pod } from '../api/core_v1.js';
import { Deployments, Events, Nodes, Pods, StorageClasses } from '../kinds/index.js';
import type { Key } from '../machinery/meta/object.js';
import { SECOND } from '../machinery/time/time.js';
import type { CheckpointState } from './state/checkpoint.js';
import { Cluster } from './cluster.js';
import type { ClusterNames } from './template-options.js';
import { makeTemplate, templateKey } from './template.js';

const ADMIN = { name: 'kubernetes-admin', groups: ['system:masters'] };
const WORKERS = [{ name: 'node01' }, { name: 'node02' }];

test.each<[string, Partial<ClusterNames>, string]>([
  ['takes no pods', {}, 'Pending'],
  ['takes pods, where its creator wants it', { untainted: true }, 'Running'],
])('the only node of a cluster %s', (_, names, phase) => {
  const cluster = new Cluster({ seed: 's', images: catalog });
  cluster.load(makeTemplate({ workers: [], speed: 'instant', names }, catalog));
  const client = cluster.client(ADMIN);
  const containers = [{ name: 'c', image: 'nginx' }];
  client.create(Pods, { metadata: { name: 'web', namespace: 'default' }, spec: { containers } } as Pod);
  cluster.advance(cluster.state.now + 60_000);
  expect(client.get(Pods, { namespace: 'default', name: 'web' })?.status.phase).toBe(phase);
});

describe('a cluster whose creator has chosen names and a version', () => {
  const options = {
    workers: WORKERS,
    speed: 'instant',
    names: { controlPlane: 'controlplane', storageClass: 'local-path', version: 'v1.36.1' },
  } as const;
  let template: CheckpointState;
  let cluster: Cluster;
  beforeAll(() => {
    template = makeTemplate(options, catalog);
    cluster = new Cluster({ seed: 'spec', images: catalog, strict: true, version: 'v1.36.1' });
    cluster.load(template);
    cluster.advance(template.now);
  });
  const get = (path: string): Record<string, never> => {
    const response = cluster.handle({ method: 'GET', path, query: '', headers: {}, user: ADMIN }, template.now);
    return JSON.parse(String((response as { body: string }).body)) as Record<string, never>;
  };

  test('nodes have the names, and show the version', () =>
    expect(
      cluster
        .client(ADMIN)
        .list(Nodes)
        .map(({ metadata, status }) => [metadata.name, status.nodeInfo?.kubeletVersion]),
    ).toEqual([
      ['controlplane', 'v1.36.1'],
      ['node01', 'v1.36.1'],
      ['node02', 'v1.36.1'],
    ]));

  test('the static pods are called after the control plane, and have its version', () =>
    expect(
      cluster
        .client(ADMIN)
        .list(Pods, 'kube-system')
        .filter(({ metadata }) => metadata.name?.endsWith('-controlplane'))
        .map(({ metadata, spec }) => [metadata.name, spec?.containers[0]!.image]),
    ).toEqual([
      ['etcd-controlplane', 'registry.k8s.io/etcd:3.6.8-0'],
      ['kube-apiserver-controlplane', 'registry.k8s.io/kube-apiserver:v1.36.1'],
      ['kube-controller-manager-controlplane', 'registry.k8s.io/kube-controller-manager:v1.36.1'],
      ['kube-scheduler-controlplane', 'registry.k8s.io/kube-scheduler:v1.36.1'],
    ]));

  test('a static pod that was deleted comes again as it was', () => {
    const key: Key = { namespace: 'kube-system', name: 'kube-scheduler-controlplane' };
    const client = cluster.client(ADMIN);
    const uid = client.get(Pods, key)!.metadata.uid;
    client.delete(Pods, key);
    cluster.advance(template.now + 60 * SECOND);
    const { metadata, spec } = client.get(Pods, key)!;
    expect(metadata.uid).not.toBe(uid);
    expect(spec?.containers[0]!.image).toBe('registry.k8s.io/kube-scheduler:v1.36.1');
  });

  test('a node that is added has the version of the cluster', () => {
    const client = cluster.client(ADMIN);
    client.create(Nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node03' }, spec: {}, status: {} });
    cluster.advance(cluster.state.now + 60 * SECOND);
    expect(client.get(Nodes, { namespace: '', name: 'node03' })!.status.nodeInfo?.kubeletVersion).toBe('v1.36.1');
  });

  test("the scheduler's events come from the control plane's host", () => {
    const client = cluster.client(ADMIN);
    client.create(Deployments, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'default' },
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'nginx:1.27' }] } },
      },
    } as never);
    cluster.advance(cluster.state.now + 60 * SECOND);
    const instances = client.list(Events, 'default').flatMap((event) => event.reportingInstance || []);
    expect(instances).toContain('default-scheduler-controlplane');
  });

  test('the default StorageClass has the name', () =>
    expect(
      cluster
        .client(ADMIN)
        .list(StorageClasses)
        .map(({ metadata }) => metadata.name),
    ).toEqual(['local-path']));

  test('/version and the metrics show the version', () => {
    expect(get('/version')).toMatchObject({
      gitVersion: 'v1.36.1',
      gitCommit: '756939600b9a7180fc2df6550a4585b638875e67',
      goVersion: 'go1.26.2',
      minor: '36',
    });
    const metrics = cluster.handle(
      { method: 'GET', path: '/metrics', query: '', headers: {}, user: ADMIN },
      template.now,
    );
    expect(String((metrics as { body: string }).body)).toContain('git_version="v1.36.1"');
  });

  test('nothing in it has the default names or the default version', () => {
    const text = JSON.stringify(template.objects)
      .replaceAll('node-role.kubernetes.io/control-plane', '')
      .replaceAll('"tier":"control-plane"', '');
    expect(text.match(/.{40}(control-plane|worker-1|"standard"|1\.36\.3).{20}/g)).toBeNull();
  });
});

test.each([
  ['the control plane', { controlPlane: 'controlplane' }],
  ['the StorageClass', { storageClass: 'local-path' }],
  ['the version', { version: 'v1.36.1' as const }],
])('another name of %s is another template', (_, names) => {
  const options = { workers: WORKERS, speed: 'instant' } as const;
  expect(templateKey({ ...options, names }, 'v1')).not.toBe(templateKey(options, 'v1'));
});
