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
  ["metadata.labels['constructor']", ''],
  ['spec.nodeName', 'worker-1'],
  ['spec.serviceAccountName', 'robot'],
  ['status.hostIP', '172.18.0.9'],
  ['status.podIP', '10.244.1.2'],
  ['status.podIPs', '10.244.1.2'],
  ['spec.other', ''],
])('%s', (path, expected) => {
  expect(extractFieldPath(path, source)).toBe(expected);
});

test('in a cluster of both families all addresses are told', () => {
  const ips = [{ ip: '10.244.1.2' }, { ip: 'fd00:10:244:1::2' }];
  const addresses = ['172.18.0.2', 'fc00:f853:ccd:e793::2'].map((address) => ({ type: 'InternalIP', address }));
  const dual = { pod: pod({}, { podIP: '10.244.1.2', podIPs: ips }), node: node({ addresses }) };
  expect(extractFieldPath('status.podIPs', dual)).toBe('10.244.1.2,fd00:10:244:1::2');
  expect(extractFieldPath('status.hostIPs', dual)).toBe('172.18.0.2,fc00:f853:ccd:e793::2');
});

test('before the kubelet has written the status, the host’s address is the node’s', () => {
  expect(extractFieldPath('status.hostIP', { pod: pod(), node: node() })).toBe('172.18.0.2');
});

test.each<[string, string | undefined, string]>([
  ['requests.cpu', undefined, '1'],
  ['requests.cpu', '1m', '100'],
  ['requests.memory', undefined, '0'],
  ['limits.memory', undefined, '1073741824'],
  ['limits.memory', '0', '1073741824'],
  ['limits.memory', '1Mi', '1024'],
  ['limits.memory', '1G', '2'],
  ['limits.cpu', undefined, '4'],
  ['limits.cpu', '1m', '4000'],
  ['limits.ephemeral-storage', undefined, '0'],
  ['limits.hugepages-2Mi', '1Mi', '4'],
])('%s by %s', (resource, divisor, expected) => {
  const limits = { memory: '1Gi', 'hugepages-2Mi': '4Mi' };
  const own = container('c', { resources: { requests: { cpu: '100m' }, limits } });
  expect(extractResource({ resource, divisor }, own, source)).toBe(expected);
});
