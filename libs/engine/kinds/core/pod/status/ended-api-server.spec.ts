import { expect, test } from '@jest/globals';
import type { ContainerStatus, Pod } from '../../../../api/core_v1.js';
import { endedApiServers } from './ended-api-server.js';

const ended = (exitCode: number) => ({ terminated: { exitCode } }) as ContainerStatus['state'];
const podOf = (status: object | undefined, metadata: object = {}): Pod =>
  ({
    metadata: { name: 'kube-apiserver-cp', annotations: { 'kubernetes.io/config.mirror': 'h' }, ...metadata },
    spec: { nodeName: 'cp' },
    status: status && { containerStatuses: [{ name: 'kube-apiserver', ...status }] },
  }) as unknown as Pod;

test.each<[string, Pod, string[]]>([
  ['runs', podOf({ state: { running: {} }, lastState: ended(0) }), []],
  ['has ended', podOf({ state: ended(0) }), ['cp']],
  ['waits to be started again', podOf({ state: { waiting: {} }, lastState: ended(255) }), ['cp']],
  ['does not come up', podOf({ state: { waiting: {} }, lastState: ended(1) }), []],
  ['was never started', podOf({ state: { waiting: {} } }), []],
  ['has no status', podOf(undefined), []],
  ['is no static pod', podOf({ state: ended(0) }, { annotations: {} }), []],
  ['is another pod', podOf({ state: ended(0) }, { name: 'etcd-cp' }), []],
])('an API server that %s', (_case, pod, expected) => expect(endedApiServers(pod)).toEqual(expected));
