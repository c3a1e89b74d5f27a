import { expect, test } from '@jest/globals';
import type { Reader } from '../../machinery/client.js';
import type { Kind } from '../../machinery/kind.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { isRefusedConnection } from '../../machinery/requests/refused.js';
import { refusalOf } from './refused.js';

const node = {
  kind: 'Node',
  metadata: { name: 'cp', labels: { 'node-role.kubernetes.io/control-plane': '' } },
  status: { addresses: [{ type: 'InternalIP', address: '172.18.0.2' }] },
};
const runtime = (broken: object): object => ({ kind: 'NodeRuntime', metadata: { name: 'cp' }, broken });
const reader = (...objects: object[]): Reader => {
  const all = objects as KubeObject[];
  const list = (kind: Kind): KubeObject[] => all.filter((one) => one.kind === kind.kind);
  return {
    list,
    byIndex: () => [],
    get: (kind: Kind, key: { name: string }) => list(kind).find(({ metadata }) => metadata.name === key.name),
  } as unknown as Reader;
};

test.each([
  ['nothing is broken', [node], '/api/v1/pods', false],
  ['the scheduler is', [node, runtime({ 'kube-scheduler': 'x' })], '/api/v1/pods', false],
  ['the API server is', [node, runtime({ 'kube-apiserver': 'x' })], '/api/v1/pods', true],
  ['etcd is', [node, runtime({ etcd: 'x' })], '/version', true],
  ['the service itself is asked', [node, runtime({ etcd: 'x' })], '/apis/terrarium.dev/v1alpha1/clocks/clock', false],
  ['a node is entered', [node, runtime({ etcd: 'x' })], '/api/v1/nodes/cp/shell', false],
  ['a node is asked for', [node, runtime({ etcd: 'x' })], '/api/v1/nodes/cp', true],
])('when %s', (_case, objects, path, isRefused) => {
  const answer = refusalOf(reader(...objects), { path });
  expect(answer !== undefined && isRefusedConnection(answer)).toBe(isRefused);
  if (isRefused) expect(answer!.body).toContain('dial tcp 172.18.0.2:6443: connect: connection refused');
});
