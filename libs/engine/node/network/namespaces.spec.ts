import { expect, test } from '@jest/globals';
import type { Pod } from '../../api/core_v1.js';
import { NO_NETWORK } from '../../kernel/network.js';
import type { Reader } from '../../machinery/client.js';
import { CP } from '../host/testing.js';
import { pauseName, pidOnNode } from '../host/views/process-view.js';
import { readerOf } from '../kubelet/testing.js';
import { enterNetwork, findNetns, hasNetns, netnsOf } from './namespaces.js';

const podOf = (name: string, spec: object = {}, status: object = {}): Pod =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', uid: `uid-${name}` },
    spec: { nodeName: 'cp', containers: [], ...spec },
    status: {
      phase: 'Running',
      podIP: '10.244.0.7',
      containerStatuses: [{ name: 'c', containerID: `containerd://${name}`, state: { running: {} } }],
      ...status,
    },
  }) as unknown as Pod;
const web = podOf('web');
const onHost = podOf('agent', { hostNetwork: true });
const pods = [web, onHost, podOf('done', {}, { phase: 'Succeeded' })];
const read = {
  ...readerOf(CP, ...pods),
  byIndex: (_: unknown, index: string) => (index === 'nodeName' ? pods : []),
} as unknown as Reader;

test.each<[string, object, object, boolean]>([
  ['one that runs', {}, {}, true],
  ['one of its node’s network', { hostNetwork: true }, {}, false],
  ['one without an address yet', {}, { podIP: '' }, false],
  ['one that has ended', {}, { phase: 'Failed' }, false],
])('%s has a namespace: %s %s', (name, spec, status, expected) =>
  expect(hasNetns(podOf(name, spec, status))).toBe(expected),
);

test('containerd names it by an id of its own', () =>
  expect(netnsOf(web)).toMatch(/^cni-[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/));

test.each<[string, string, string | undefined]>([
  ['its name', netnsOf(web), 'web'],
  ['another name', 'cni-nope', undefined],
  ['the number of a container', `pid:${pidOnNode('web')}`, 'web'],
  ['the number of its pause', `pid:${pidOnNode(pauseName(web))}`, 'web'],
  ['a process of the node', 'pid:1', 'node:cp'],
  ['a container in the node’s network', `pid:${pidOnNode('agent')}`, 'node:cp'],
  ['the name of a pod that has ended', netnsOf(pods[2]!), undefined],
])('a namespace by %s', (_what, name, expected) => expect(findNetns(read, 'cp', name)?.metadata.name).toBe(expected));

test('the loopback leads to the pod itself, and nobody goes on from there', () => {
  const asked: string[] = [];
  const network = enterNetwork(
    {
      ...NO_NETWORK,
      enter: () => NO_NETWORK,
      connect: (_from, address) => {
        asked.push(address);
        return { error: 'ECONNREFUSED', after: 0 };
      },
    },
    web,
    () => [],
  );
  for (const address of ['127.0.0.1', '10.0.0.1']) network.connect('m', address, 80, 'tcp', 0, new Map());
  expect(asked).toEqual(['10.244.0.7', '10.0.0.1']);
  expect(network.enter).toBeUndefined();
  expect(network.isShared).toBe(true);
});
