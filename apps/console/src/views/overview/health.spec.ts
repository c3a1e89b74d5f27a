import { expect, test } from '@jest/globals';
import type { Row } from '../picture/model/row.js';
import { World } from '../picture/model/world.js';
import { capacityOf, illsOf, Lasting, talliesOf } from './health.js';

const row = (kind: string, name: string, is: Row['is'], owner?: string): Row => ({
  ...{ kind, name, uid: `${kind}/${name}`, revision: 1, created: 0, is },
  ...(owner ? { owner: { kind: owner.split('/')[0]!, name: owner.split('/')[1]!, uid: owner } } : {}),
});

function worldOf(...rows: readonly Row[]): World {
  const world = new World();
  world.apply({ begins: true, left: 0, revision: 1, at: 0, labels: [], rows });
  return world;
}

const told = (world: World): string[] =>
  illsOf(world).map(({ thing, status, owner, count }) => [thing.uid, status, owner?.uid, count].join(' '));

test.each<[string, Row, string[]]>([
  ['a node that is ready', row('Node', 'a', { status: 'Ready,SchedulingDisabled' }), []],
  ['a node that is not', row('Node', 'a', { status: 'NotReady' }), ['Node/a NotReady  1']],
  [
    'a node under pressure',
    row('Node', 'a', { status: 'Ready', pressure: ['DiskPressure'] }),
    ['Node/a Ready, DiskPressure  1'],
  ],
  ['a claim that is bound', row('PersistentVolumeClaim', 'a', { status: 'Bound' }), []],
  [
    'a claim that waits',
    row('PersistentVolumeClaim', 'a', { status: 'Pending' }),
    ['PersistentVolumeClaim/a Pending  1'],
  ],
  ['a pod that runs', row('Pod', 'a', { status: 'Running', node: 'n', ready: 1, total: 1 }), []],
  ['a pod that is done', row('Pod', 'a', { status: 'Completed', node: 'n' }), []],
  ['a pod without a node', row('Pod', 'a', { status: 'Pending' }), ['Pod/a Pending  1']],
  ['a pod that fails', row('Pod', 'a', { status: 'ImagePullBackOff', node: 'n' }), ['Pod/a ImagePullBackOff  1']],
  ['a pod that is not ready', row('Pod', 'a', { status: 'Running', node: 'n', total: 1 }), ['Pod/a 0/1  1']],
  ['a Deployment without its pods', row('Deployment', 'a', { want: 2 }), ['Deployment/a 0/2  1']],
  ['a Deployment of no pods', row('Deployment', 'a', { want: 0 }), []],
  ['a ReplicaSet of a Deployment', row('ReplicaSet', 'a', { want: 2 }, 'Deployment/x'), []],
])('%s', (_, given, expected) => expect(told(worldOf(given))).toEqual(expected));

test('pods of one Deployment are told once, and it is not told again', () => {
  const world = worldOf(
    row('Deployment', 'web', { want: 2 }),
    row('ReplicaSet', 'web-1', { want: 2 }, 'Deployment/web'),
    row('Pod', 'web-1-a', { status: 'Pending' }, 'ReplicaSet/web-1'),
    row('Pod', 'web-1-b', { status: 'Pending' }, 'ReplicaSet/web-1'),
    row('Node', 'n', { status: 'Ready' }),
  );
  expect(told(world)).toEqual(['Pod/web-1-a Pending Deployment/web 2']);
  expect(talliesOf(world)).toEqual([
    { kind: 'Node', well: 1, all: 1 },
    { kind: 'Pod', well: 0, all: 2 },
    { kind: 'Deployment', well: 0, all: 1 },
  ]);
});

test('what has just begun is not told; what was so before is told at once', () => {
  const [old] = illsOf(worldOf(row('Node', 'old', { status: 'NotReady' })));
  const [fresh] = illsOf(worldOf(row('Pod', 'fresh', { status: 'Pending' })));
  const lasting = new Lasting(2_000);
  expect(lasting.tell([old!], 100)).toEqual([old]);
  expect(lasting.tell([old!, fresh!], 200)).toEqual([old]);
  expect(lasting.isWaiting(2_100)).toBe(true);
  expect(lasting.tell([old!, fresh!], 2_200)).toEqual([old, fresh]);
  expect(lasting.tell([], 2_300)).toEqual([]);
  expect(lasting.tell([old!], 2_400)).toEqual([]);
});

test('what is asked for is what pods with a node ask for that are not over', () => {
  const nodes = [row('Node', 'a', { cpu: 4_000, memory: 100 }), row('Node', 'b', { cpu: 2_000, memory: 50 })];
  const pods = [
    row('Pod', 'runs', { status: 'Running', node: 'a', ready: 1, total: 1, cpu: 500, memory: 10 }),
    row('Pod', 'waits', { status: 'Pending', cpu: 9_000, memory: 10 }),
    row('Pod', 'over', { status: 'Completed', node: 'a', cpu: 9_000, memory: 10 }),
  ];
  expect(capacityOf(worldOf(...nodes, ...pods))).toEqual({
    cpu: { used: 500, all: 6_000 },
    memory: { used: 10, all: 150 },
  });
});
