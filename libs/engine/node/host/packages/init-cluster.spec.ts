import { expect, test } from '@jest/globals';
import { bytesOf } from '../../../kernel/bytes.js';
import { ConfigMaps, Nodes, Secrets } from '../../../kinds/index.js';
import { clientOf, stateOf } from '../../cri/testing.js';
import { nodeTemplate } from '../../kubelet/nodestatus/node-template.js';
import { initCluster, isInit, type InitRequest } from './init-cluster.js';

const TAINT = { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' };
const REQUEST: InitRequest = {
  verb: 'init',
  release: 'v1.36.3',
  token: 'abcdef.0123456789abcdef',
  expiration: '2026-01-02T00:00:00Z',
  configuration: 'kind: ClusterConfiguration\n',
  kubelet: 'kind: KubeletConfiguration\n',
  server: 'https://172.18.0.2:6443',
  taints: [TAINT],
  addons: ['coredns'],
};
const SYSTEM = 'kube-system';

test('a cluster has its configuration, a token, and a node that is marked', () => {
  const state = stateOf(nodeTemplate({ name: 'cp', internalIP: '172.18.0.2', podCIDR: '10.244.0.0/24' }));
  const client = Object.assign(clientOf(state), { kindFor: () => undefined });
  const made: string[] = [];
  initCluster(
    {
      ...{ client, node: 'cp', isDualStack: false, groups: 'joining' },
      disk: { has: () => true, read: () => bytesOf('PEM'), list: () => [] },
      bootstrap: {
        addonObjects: ({ version }) => (made.push(version), { coredns: [], 'kube-proxy': [] }),
        createApiObjects: () => {},
        kubeadmRights: () => [],
      },
    },
    REQUEST,
  );
  const data = (namespace: string, name: string) => state.get(ConfigMaps, { namespace, name })?.data;
  expect(data(SYSTEM, 'kubeadm-config')).toEqual({ ClusterConfiguration: REQUEST.configuration });
  expect(data(SYSTEM, 'kubelet-config')).toEqual({ kubelet: REQUEST.kubelet });
  expect(data('kube-public', 'cluster-info')?.['kubeconfig']).toContain('UEVN');
  expect(state.get(Secrets, { namespace: SYSTEM, name: 'bootstrap-token-abcdef' })).toBeDefined();
  expect(state.get(Nodes, { namespace: '', name: 'cp' })).toMatchObject({
    metadata: { labels: { 'node-role.kubernetes.io/control-plane': '' } },
    spec: { taints: [TAINT] },
  });
  expect(made).toEqual(['v1.36.3']);
});

test.each<[string, object, boolean]>([
  ['as kubeadm writes it', {}, true],
  ['without taints', { taints: [] }, true],
  ['with no token', { token: 'no' }, false],
  ['with an add-on that nobody knows', { addons: ['other'] }, false],
  ['with a configuration that is too long', { configuration: 'x'.repeat(70_000) }, false],
  ['with taints that are none', { taints: 'no' }, false],
])('a request %s is one: %s', (_case, change, expected) => {
  expect(isInit({ ...REQUEST, ...change } as Partial<InitRequest>)).toBe(expected);
});
