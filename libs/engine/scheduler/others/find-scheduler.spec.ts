import { expect, test } from '@jest/globals';
import type { Pod } from '../../api/core_v1.js';
import type { Reader } from '../../machinery/client.js';
import { findScheduler, isSchedulerPod, parseProfiles } from './find-scheduler.js';

test.each<[string, readonly string[]]>([
  ['', []],
  ['kind: Other', []],
  ['kind: [', []],
  ['kind: KubeSchedulerConfiguration', ['default-scheduler']],
  [
    'kind: KubeSchedulerConfiguration\nprofiles: [{schedulerName: a}, {plugins: {}}, null]',
    ['a', 'default-scheduler', 'default-scheduler'],
  ],
])('%j has the profiles %j', (text, expected) => expect(parseProfiles(text)).toEqual(expected));

test.each([
  ['registry.k8s.io/kube-scheduler:v1.36.1', true],
  ['gcr.io/my-gcp-project/my-kube-scheduler:1.0', true],
  ['kube-scheduler', true],
  ['example.com/kube-scheduler-simulator:1', false],
  ['nginx', false],
])('%s is a scheduler: %s', (image, expected) =>
  expect(isSchedulerPod({ spec: { containers: [{ name: 'c', image }] } } as Pod)).toBe(expected),
);

const CONFIG = 'kind: KubeSchedulerConfiguration\nprofiles: [{schedulerName: mine}]';
const at = (path: string, more = {}) => ({ name: 'v', mountPath: path, ...more });
const map = (more = {}) => ({ name: 'v', configMap: { name: 'm', ...more } });

test.each<[string, readonly string[], object, object, boolean]>([
  ['a flag with its value', ['--config=/c/k'], at('/c'), map(), true],
  ['two words', ['--config', '/c/k'], at('/c/'), map(), true],
  ['another file', ['--config=/c/other'], at('/c'), map(), false],
  ['no mount', ['--config=/d/k'], at('/c'), map(), false],
  ['no flag', [], at('/c'), map(), false],
  ['items', ['--config=/c/x.yaml'], at('/c'), map({ items: [{ key: 'k', path: 'x.yaml' }] }), true],
  ['a sub-path', ['--config=/x.yaml'], at('/x.yaml', { subPath: 'k' }), map(), true],
  ['a file of the node', ['--config=/x.yaml'], at('/x.yaml'), { name: 'v', hostPath: { path: '/etc/k.yaml' } }, true],
])('a configuration by %s', (_name, args, mount, volume, isFound) => {
  const container = { name: 'c', image: 'registry.k8s.io/kube-scheduler:v1.36.1', command: ['kube-scheduler'], args };
  const pod = {
    metadata: { namespace: 'kube-system' },
    spec: { nodeName: 'n', containers: [{ ...container, volumeMounts: [mount] }], volumes: [volume] },
    status: { containerStatuses: [{ name: 'c', ready: true, state: { running: {} } }] },
  } as unknown as Pod;
  const read = { get: () => ({ data: { k: CONFIG } }) } as unknown as Reader;
  const readNodeFile = (_read: Reader, node: string, path: string): string | undefined =>
    node === 'n' && path === '/etc/k.yaml' ? CONFIG : undefined;
  expect(findScheduler([pod], read, 'mine', readNodeFile)).toBe(isFound ? pod : undefined);
});
