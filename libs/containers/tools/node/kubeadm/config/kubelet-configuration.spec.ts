import { expect, test } from '@jest/globals';
import { KUBELET_CONFIGURATION } from '../../../../../engine/node/host/files/config-files.js';
import { kubeletConfiguration } from './kubelet-configuration.js';

const HEAD = 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n';

test('what the ConfigMap does not say is as kubeadm writes it', () => {
  expect(kubeletConfiguration('')).toBe(KUBELET_CONFIGURATION);
  expect(kubeletConfiguration(HEAD)).toBe(KUBELET_CONFIGURATION);
});

test.each([
  ['maxPods: 30\n', 'maxPods: 30\n'],
  ['authentication:\n  anonymous:\n    enabled: true\n', '  anonymous:\n    enabled: true\n'],
  ['clusterDNS:\n- 10.96.0.53\n', 'clusterDNS:\n- 10.96.0.53\nclusterDomain'],
  ['evictionHard:\n  memory.available: 5%\n', 'evictionHard:\n  memory.available: 5%\n'],
])('%j', (more, expected) => {
  const made = kubeletConfiguration(HEAD + more);
  expect(made).toContain(expected);
  expect(made).toContain('  webhook:\n    cacheTTL: 0s\n    enabled: true\n');
});

test.each(['a: [', 'kind: Other\n'])('%j is refused', (text) => {
  expect(() => kubeletConfiguration(text)).toThrow(/it has no KubeletConfiguration|yaml/i);
});
