import { describe, expect, test } from '@jest/globals';
import type { Pod } from '../../../api/core_v1.js';
import { FileTree } from '../../../kernel/files/tree.js';
import type { Reader } from '../../../machinery/client.js';
import { ContainerLog } from './container-log.js';
import { PodFolders } from './pod-folders.js';
import { uidOf } from './pod-paths.js';

const START = Date.parse('2026-01-01T00:00:00Z');
const at = (second: number): string => new Date(START + second * 1_000).toISOString().replace('.000', '');
const id = (letter: string): string => `containerd://${letter.repeat(64)}`;

const web = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'shop', uid: 'u-1' },
  spec: {
    nodeName: 'n',
    containers: [{ name: 'c', image: 'x' }],
    volumes: [
      { name: 'settings', configMap: { name: 's' } },
      { name: 'host', hostPath: { path: '/x' } },
    ],
  },
  status: {
    startTime: at(1),
    containerStatuses: [
      {
        ...{ name: 'c', image: 'x', imageID: '', ready: true, restartCount: 3, containerID: id('b') },
        state: { running: { startedAt: at(9) } },
        lastState: { terminated: { containerID: id('a'), startedAt: at(2), finishedAt: at(8), exitCode: 1 } },
      },
    ],
  },
} as unknown as Pod;

const waiting = {
  ...web,
  metadata: { name: 'etcd', namespace: 'kube-system', uid: 'u-2', annotations: { 'kubernetes.io/config.hash': 'h' } },
  status: {
    startTime: at(1),
    containerStatuses: [
      {
        ...{ name: 'c', image: 'x', imageID: '', ready: false, restartCount: 1, containerID: id('d') },
        state: { waiting: { reason: 'CrashLoopBackOff' } },
        lastState: { terminated: { containerID: id('d'), startedAt: at(2), finishedAt: at(3), exitCode: 1 } },
      },
    ],
  },
} as unknown as Pod;

const settings = new FileTree('t', {
  '/v/key': { type: 'file', mode: 0o644, user: 0, group: 0, modified: 0, content: 'value' },
});

function foldersAt(second: number): PodFolders {
  const log = new ContainerLog(START);
  log.add([{ at: 0, text: 'hello' }]);
  const pods = [web, waiting];
  return new PodFolders({
    read: { byIndex: () => pods, get: () => undefined } as unknown as Reader,
    node: 'n',
    now: () => START + second * 1_000,
    logFiles: (_pod, _id, now) => log.files(now),
    volume: () => ({ tree: settings, subPath: '/v' }),
  });
}

const LOGS = '/var/log/pods/shop_web_u-1';
const POD = '/var/lib/kubelet/pods/u-1';

test.each([
  ['/var/log/pods', ['shop_web_u-1', 'kube-system_etcd_h']],
  [LOGS, ['c']],
  [`${LOGS}/c`, ['2.log', '3.log']],
  [`${LOGS}/other`, []],
  ['/var/log/pods/kube-system_etcd_h/c', ['1.log']],
  [
    '/var/log/containers',
    [
      `web_shop_c-${'a'.repeat(64)}.log`,
      `web_shop_c-${'b'.repeat(64)}.log`,
      `etcd_kube-system_c-${'d'.repeat(64)}.log`,
    ],
  ],
  ['/var/lib/kubelet/pods', ['u-1', 'h']],
  [POD, ['containers', 'etc-hosts', 'plugins', 'volumes']],
  [`${POD}/volumes`, ['kubernetes.io~configmap']],
  [`${POD}/volumes/kubernetes.io~configmap`, ['settings']],
  [`${POD}/volumes/kubernetes.io~configmap/settings`, ['key']],
  [`${POD}/plugins/kubernetes.io~empty-dir`, ['wrapped_settings']],
  [`${POD}/nothing/at/all`, []],
])('%s', (directory, expected) => expect(foldersAt(60).names(directory)).toEqual(expected));

test.each([
  [`${LOGS}/c/3.log`, 'file', '2026-01-01T00:00:00.000000000Z stdout F hello\n'],
  [`${LOGS}/c/1.log`, undefined, undefined],
  [`${LOGS}/c/3.log/x`, undefined, undefined],
  [`${LOGS}/d`, undefined, undefined],
  [`${POD}/volumes/kubernetes.io~configmap/settings`, 'directory', undefined],
  [`${POD}/volumes/kubernetes.io~configmap/settings/key`, 'file', 'value'],
  [`${POD}/volumes/kubernetes.io~configmap/settings/none`, undefined, undefined],
  [`${POD}/plugins/kubernetes.io~empty-dir/wrapped_settings/ready`, 'file', ''],
  [`${POD}/containers/c`, 'directory', undefined],
  [`${POD}/containers/none`, undefined, undefined],
  ['/var/lib/kubelet/pods/u-9', undefined, undefined],
])('what %s is', (path, type, content) => {
  const node = foldersAt(60).node(path);
  expect(node?.type).toBe(type);
  expect(node?.type === 'file' ? node.content : undefined).toBe(content);
});

describe('a look at an earlier time', () => {
  test('sees the runs of then', () => expect(foldersAt(5).names(`${LOGS}/c`)).toEqual(['2.log']));
  test('and the pods', () => expect(foldersAt(0).names('/var/log/pods')).toEqual([]));
});

test.each([
  ['/var/log/pods', true],
  ['/var/log/pods/x', true],
  ['/var/log/podsx', false],
  ['/var/log', false],
])('%s is of the part: %s', (directory, expected) => expect(foldersAt(0).covers(directory)).toBe(expected));

test('a link leads to the log of its run', () =>
  expect(foldersAt(60).node(`/var/log/containers/web_shop_c-${'b'.repeat(64)}.log`)?.target).toBe(`${LOGS}/c/3.log`));

test.each([
  [web, 'u-1'],
  [waiting, 'h'],
])('the UID that a kubelet knows a pod by', (pod, expected) => expect(uidOf(pod)).toBe(expected));
