import { expect, test } from '@jest/globals';
import type { Node } from '../../../api/core_v1.js';
import type { Reader } from '../../../machinery/client.js';
import { kind as Nodes } from '../../core/node/kind.js';
import { findHost, listHosts } from './hosts.js';

const nodeOf = (name: string, uid: string, disk: string): Node =>
  ({ metadata: { name, uid, creationTimestamp: `${uid}-time`, labels: { disk } } }) as unknown as Node;

/** `old` has never lost its Node, `back` has one again, `gone` has none. */
const nodes = [nodeOf('old', '1', 'new'), nodeOf('back', '3', 'new')];
const runtimes = [
  { metadata: { name: 'old' } },
  { metadata: { name: 'back' }, machine: nodeOf('back', '2', 'then') },
  { metadata: { name: 'gone' }, machine: nodeOf('gone', '4', 'then') },
];
const named = (list: readonly { metadata: { name?: string } }[], name: string) =>
  list.find(({ metadata }) => metadata.name === name);
const read = {
  list: (kind: unknown) => (kind === Nodes ? nodes : runtimes),
  get: (kind: unknown, { name }: { name: string }) => named(kind === Nodes ? nodes : runtimes, name),
} as unknown as Reader;

const show = (node: Node | undefined): string | undefined =>
  node && `${node.metadata.uid} ${node.metadata.labels?.['disk']}`;

test.each([
  ['old', '1 new'],
  ['back', '2 new'],
  ['gone', '4 then'],
  ['none', undefined],
])('a host called %s is %s', (name, expected) => {
  expect(show(findHost(read, name))).toBe(expected);
});

test('hosts without a Node come behind the others', () => {
  expect(listHosts(read).map(show)).toEqual(['1 new', '2 new', '4 then']);
});

test('where no Node was deleted the hosts are the Nodes', () => {
  const plain = { ...read, list: (kind: unknown) => (kind === Nodes ? nodes : []) } as Reader;
  expect(listHosts(plain)).toBe(nodes);
});
