import { expect, test } from '@jest/globals';
import type { ContainerPort, Pod } from '../../api/core_v1.js';
import { filterNodes, makeNode, makePod, snapshotOf } from '../testing.js';
import { nodePorts } from './node-ports.js';

const exposing = (nodeName: string | undefined, ...ports: Partial<ContainerPort>[]): Pod =>
  makePod({ containers: [{ name: 'c', ports: ports.map((p) => ({ containerPort: 80, ...p })) }] }, {}, nodeName);
const CONFLICT = { a: "node(s) didn't have free ports for the requested pod ports" };

test.each<[string, Partial<ContainerPort>, Partial<ContainerPort>, unknown]>([
  ['no host port', { hostPort: 80 }, {}, 'Skip'],
  ['a free one', { hostPort: 80 }, { hostPort: 81 }, {}],
  ['one in use', { hostPort: 80 }, { hostPort: 80 }, CONFLICT],
  ['one in use by another protocol', { hostPort: 80 }, { hostPort: 80, protocol: 'UDP' }, {}],
  ['one in use at another address', { hostPort: 80, hostIP: '10.0.0.1' }, { hostPort: 80, hostIP: '10.0.0.2' }, {}],
  ['one in use at its address', { hostPort: 80, hostIP: '10.0.0.1' }, { hostPort: 80, hostIP: '10.0.0.1' }, CONFLICT],
  ['one in use at all addresses', { hostPort: 80 }, { hostPort: 80, hostIP: '10.0.0.1' }, CONFLICT],
  ['one for all addresses in use at one', { hostPort: 80, hostIP: '10.0.0.1' }, { hostPort: 80 }, CONFLICT],
])('a pod with %s', (_, used, wanted, expected) =>
  expect(
    filterNodes(
      nodePorts,
      exposing(undefined, wanted),
      snapshotOf([makeNode('a'), makeNode('b')], [exposing('a', used)]),
    ),
  ).toEqual(expected),
);
