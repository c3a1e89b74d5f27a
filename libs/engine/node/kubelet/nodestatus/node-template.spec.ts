import { expect, test } from '@jest/globals';
import { nodeTemplate } from './node-template.js';

const worker = { name: 'worker-1', internalIP: '172.18.0.3', podCIDR: '10.244.1.0/24' };

test('a worker', () => {
  const node = nodeTemplate(worker);
  expect(node.spec).toEqual({
    podCIDR: '10.244.1.0/24',
    podCIDRs: ['10.244.1.0/24'],
    providerID: 'terrarium://worker-1',
  });
  expect(node.status.conditions).toEqual([]);
  expect(Object.keys(node.metadata.labels!)).not.toContain('node-role.kubernetes.io/control-plane');
});

test('a control plane node has kubeadm’s labels, and its taints', () => {
  const taints = [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }];
  const node = nodeTemplate({ ...worker, role: 'control-plane', taints });
  expect(node.metadata.labels).toMatchObject({
    'node-role.kubernetes.io/control-plane': '',
    'node.kubernetes.io/exclude-from-external-load-balancers': '',
  });
  expect(node.spec.taints).toEqual(taints);
});

test('labels of one’s own come over the machine’s', () => {
  const { labels } = nodeTemplate({ ...worker, labels: { 'kubernetes.io/arch': 'arm64', zone: 'a' } }).metadata;
  expect(labels).toMatchObject({ 'kubernetes.io/arch': 'arm64', 'kubernetes.io/os': 'linux', zone: 'a' });
});
