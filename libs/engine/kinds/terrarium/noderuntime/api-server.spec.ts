import { expect, test } from '@jest/globals';
import type { Reader } from '../../../machinery/client.js';
import { kind as Nodes } from '../../core/node/kind.js';
import { isApiServerDown, servesApi } from './api-server.js';

type Broken = Readonly<Record<string, string>>;

/** Control plane nodes by name, with their components that do not come up, and one worker. */
function readerOf(planes: Readonly<Record<string, Broken>>, ended: readonly string[] = []): Reader {
  const labels = { 'node-role.kubernetes.io/control-plane': '' };
  const runtimes = Object.entries(planes).map(([name, broken]) => ({ metadata: { name }, broken }));
  const nodes = [...Object.keys(planes).map((name) => ({ metadata: { name, labels } })), { metadata: { name: 'w' } }];
  return {
    byIndex: (_of: unknown, _index: string, value: string) => ended.filter((node) => value === '' || node === value),
    list: (of: unknown) => (of === Nodes ? nodes : runtimes),
    get: (_kind: unknown, { name }: { name: string }) => runtimes.find(({ metadata }) => metadata.name === name),
  } as unknown as Reader;
}

test.each<[string, Record<string, Broken>, boolean]>([
  ['nothing is broken', { a: {} }, false],
  ['the scheduler is broken', { a: { 'kube-scheduler': 'no' } }, false],
  ['the API server is broken', { a: { 'kube-apiserver': 'no' } }, true],
  ['etcd is broken', { a: { etcd: 'no' } }, true],
  ['one of two is broken', { a: { etcd: 'no' }, b: {} }, false],
  ['both of two are broken', { a: { etcd: 'no' }, b: { 'kube-apiserver': 'no' } }, true],
])('when %s, no API server answers: %#', (_name, planes, expected) => {
  const read = readerOf(planes);
  expect(isApiServerDown(read)).toBe(expected);
  expect(Object.keys(planes).some((name) => servesApi(read, name))).toBe(!expected);
});

test.each<[string, string[], string[], boolean]>([
  ['the only one has ended', ['a'], ['a'], true],
  ['one of two has ended', ['a', 'b'], ['a'], false],
  ['both have ended', ['a', 'b'], ['a', 'b'], true],
])('when %s, no API server answers: %#', (_name, planes, ended, expected) => {
  const read = readerOf(Object.fromEntries(planes.map((plane) => [plane, {}])), ended);
  expect(isApiServerDown(read)).toBe(expected);
  expect(planes.some((name) => servesApi(read, name))).toBe(!expected);
});

test.each<[string, object, boolean]>([
  ['the control plane has no power', { a: { fault: 'off' } }, true],
  ['somebody has turned it off', { a: { shutdown: { since: '', isOff: true } } }, true],
  ['it is going down', { a: { shutdown: { since: '' } } }, false],
  ['a worker has no power', { w: { fault: 'off' } }, false],
  ['its kubelet has stopped', { a: { fault: 'kubelet-stopped' } }, false],
])('when %s, no API server answers: %#', (_name, records, expected) => {
  const labels = { 'node-role.kubernetes.io/control-plane': '' };
  const runtimes = Object.entries(records).map(([name, record]) => ({ metadata: { name }, ...(record as object) }));
  const read = {
    byIndex: () => [],
    list: (of: unknown) =>
      of === Nodes ? [{ metadata: { name: 'a', labels } }, { metadata: { name: 'w', labels: {} } }] : runtimes,
    get: (_kind: unknown, { name }: { name: string }) => runtimes.find(({ metadata }) => metadata.name === name),
  } as unknown as Reader;
  expect(isApiServerDown(read)).toBe(expected);
});
