import { expect, test } from '@jest/globals';
import { catalog } from '../../../containers/index.js';
import { Namespaces, PriorityLevelConfigurations, StorageClasses } from '../../kinds/index.js';
import { Cluster } from '../cluster.js';
import { clusterBootstrap } from './cluster-bootstrap.js';

test('an API server on an empty etcd makes namespaces and rights, and no class of storage', () => {
  const cluster = new Cluster({ seed: 'empty', images: catalog });
  const client = cluster.client({ name: 'system:apiserver', groups: ['system:masters'] });
  clusterBootstrap.createApiObjects(client, { controlPlane: 'cp', version: 'v1.36.3' }, { now: 0 });
  const names = client.list(Namespaces).map(({ metadata }) => metadata.name);
  expect(names.sort()).toEqual(['default', 'kube-node-lease', 'kube-public', 'kube-system']);
  expect(client.list(PriorityLevelConfigurations).length).toBeGreaterThan(5);
  expect(client.list(StorageClasses)).toEqual([]);
});

test("kubeadm's rights are those of who joins, not those of add-ons", () => {
  const names = clusterBootstrap.kubeadmRights().map(({ metadata }) => metadata.name ?? '');
  expect(names).toContain('kubeadm:get-nodes');
  expect(names).toContain('kubeadm:cluster-admins');
  for (const other of ['kindnet', 'system:coredns', 'kube-proxy', 'cluster-admin']) expect(names).not.toContain(other);
});
