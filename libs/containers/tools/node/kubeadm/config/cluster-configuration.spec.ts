import { expect, test } from '@jest/globals';
import { formatClusterConfiguration, type ClusterSettings } from './cluster-configuration.js';

const SETTINGS: ClusterSettings = {
  name: 'kubernetes',
  version: 'v1.36.3',
  endpoint: '',
  dnsDomain: 'cluster.local',
  serviceSubnet: '10.96.0.0/12',
  podSubnet: undefined,
  imageRepository: 'registry.k8s.io',
  certSANs: [],
  extra: {},
};

test("kubeadm's defaults, in the order of their names", () => {
  const text = formatClusterConfiguration(SETTINGS);
  expect(text).toMatch(/^apiServer: \{\}\napiVersion: kubeadm.k8s.io\/v1beta4\n/);
  expect(text).toContain('networking:\n  dnsDomain: cluster.local\n  serviceSubnet: 10.96.0.0/12\n');
  expect(text).not.toContain('controlPlaneEndpoint');
});

test.each<[Partial<ClusterSettings>, string]>([
  [{ endpoint: 'cp:6443' }, 'controlPlaneEndpoint: cp:6443\n'],
  [{ podSubnet: '192.168.0.0/16' }, '  podSubnet: 192.168.0.0/16\n'],
  [{ certSANs: ['api.test'] }, 'apiServer:\n  certSANs:\n  - api.test\n'],
  [{ extra: { scheduler: [['v', '2']] } }, 'scheduler:\n  extraArgs:\n  - name: v\n    value: "2"\n'],
])('%j', (change, expected) => {
  expect(formatClusterConfiguration({ ...SETTINGS, ...change })).toContain(expected);
});
