import { expect, test } from '@jest/globals';
import { container, node, pod } from '../testing.js';
import { extractFieldPath, extractResource } from './fieldpath.js';

const source = {
  pod: pod(
    { serviceAccountName: 'robot' },
    { podIP: '10.244.1.2', hostIP: '172.18.0.9' },
    { labels: { tier: 'front', app: 'web "1"' }, annotations: { 'example.com/a': 'x' } },
  ),
  node: node({ allocatable: { cpu: '4', memory: '8Gi' } }),
};

test.each([
  ['metadata.name', 'web'],
  ['metadata.namespace', 'shop'],
  ['metadata.uid', 'u1'],
  ['metadata.labels', 'app="web \\"1\\""\ntier="front"'],
  ['metadata.annotations', 'example.com/a="x"'],
  ["metadata.labels['tier']", 'front'],
  ["metadata.annotations['example.com/a']", 'x'],
  ["metadata.labels['none']", ''],
  ['spec.nodeName', 'worker-1'],
  ['spec.serviceAccountName', 'robot'],
  ['status.hostIP', '172.18.0.9'],
  ['status.podIP', '10.244.1.2'],
  ['status.podIPs', '10.244.1.2'],
  ['spec.other', ''],
])('%s', (path, expected) => {
  expect(extractFieldPath(path, source)).toBe(expected);
});

test('before the kubelet has written the status, the host’s address is the node’s', () => {
  expect(extractFieldPath('status.hostIP', { pod: pod(), node: node() })).toBe('172.18.0.2');
});

test.each([
  ['requests.cpu', '100m'],
  ['requests.memory', '0'],
  ['limits.memory', '1Gi'],
  ['limits.cpu', '4'],
  ['limits.ephemeral-storage', '0'],
])('%s', (resource, expected) => {
  const own = container('c', { resources: { requests: { cpu: '100m' }, limits: { memory: '1Gi' } } });
  expect(extractResource(resource, own, source)).toBe(expected);
});
