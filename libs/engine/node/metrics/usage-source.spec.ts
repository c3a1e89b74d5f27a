import { describe, expect, test } from '@jest/globals';
import type { Node, Pod } from '../../api/core_v1.js';
import { Nodes } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import { timestamp } from '../../machinery/time/time.js';
import type { Machines } from '../cri/machines.js';
import { MeasuredUsage } from './usage-source.js';

const NOW = Date.UTC(2026, 0, 1, 12, 0, 40);
const MIB = 2 ** 20;

const podOf = (name: string, image: string, secondsAgo = 60): Pod =>
  ({
    metadata: { name, namespace: 'default', uid: name },
    spec: { nodeName: 'worker-1', containers: [{ name: 'c', image }] },
    status: {
      phase: 'Running',
      containerStatuses: [{ name: 'c', image, state: { running: { startedAt: timestamp(NOW - secondsAgo * 1_000) } } }],
    },
  }) as unknown as Pod;
const node = { metadata: { name: 'worker-1', uid: 'n' }, status: {} } as unknown as Node;

interface Given {
  readonly pods: readonly Pod[];
  /** By pod: what its machine has used. */
  readonly measured?: Readonly<Record<string, { readonly cpuRate: number; readonly memory: number }>>;
  /** Machines that may send something: the CPU of their containers, and until when they are quiet. */
  readonly connected?: readonly { readonly cpu: object; readonly quietUntil: number }[];
}

function sourceOf({ pods, measured = {}, connected = [] }: Given): MeasuredUsage {
  const read = {
    list: (kind: unknown) => (kind === Nodes ? [node] : pods),
    byIndex: () => [],
  } as unknown as Reader;
  const machines = {
    connected: () =>
      connected.map(({ cpu, quietUntil }) => ({
        pod: { ...podOf('sender', 'busybox'), quietUntil },
        state: { containers: new Map([['c', { cpu }]]) },
      })),
    viewOf: (pod: Pod) => ({ pod }),
    quietUntil: ({ pod }: { pod: { quietUntil: number } }) => pod.quietUntil,
    isSummedUp: ({ pod }: { pod: Pod }) => pod.metadata.name === 'server',
    knownUsageOf: ({ pod }: { pod: Pod }) => {
      const found = measured[pod.metadata.name ?? ''];
      return found && { containers: new Map([['c', found]]) };
    },
  };
  return new MeasuredUsage(read, machines as unknown as Machines);
}

const shown = (given: Given): unknown[] =>
  sourceOf(given)
    .pods('', NOW)
    .map(({ pod, containers }) => {
      const { cpu = 0, memory = 0 } = containers.get('c') ?? {};
      return [pod.metadata.name, Math.round(cpu), Math.round(memory / MIB)];
    });

test('a server that waits uses what one of its image does, and what was asked of it besides', () => {
  const pods = [podOf('server', 'example.com/shop:1'), podOf('db', 'mysql:8')];
  const measured = { db: { cpuRate: 200, memory: 3 * MIB } };
  const [[, cpu, memory], [, dbCpu, dbMemory]] = shown({ pods, measured }) as [
    [string, number, number],
    [string, number, number],
  ];
  expect([cpu, memory]).toEqual([1, 11]);
  expect([dbCpu >= 204 && dbCpu <= 206, dbMemory > 340]).toEqual([true, true]);
});

test('a program uses what its machine tells', () => {
  const pods = [podOf('tool', 'busybox')];
  expect(shown({ pods, measured: { tool: { cpuRate: 1_000, memory: 150 * MIB } } })).toEqual([['tool', 1_000, 150]]);
});

test('of a container that began within the last whole window nothing is known', () =>
  expect(shown({ pods: [podOf('new', 'nginx', 20), podOf('old', 'nginx', 60)] })).toEqual([['old', 0, 4]]));

test('a node uses what its pods do, and its own services', () => {
  const measured = { tool: { cpuRate: 500, memory: 100 * MIB } };
  const [found] = sourceOf({ pods: [podOf('tool', 'busybox')], measured }).nodes(NOW);
  expect(found!.cpu).toBeGreaterThan(530);
  expect(Math.round(found!.memory / MIB)).toBe(540);
});

describe('use may change', () => {
  test.each<[string, object, number, boolean]>([
    ['no: it rests', {}, Infinity, false],
    ['no: it sleeps for an hour', {}, NOW + 3_600_000, false],
    ['soon', {}, NOW + 5_000, true],
    ['it was busy a moment ago', { recent: [Math.floor(NOW / 15_000) - 1, 900] }, Infinity, true],
    ['it was busy long ago', { recent: [Math.floor(NOW / 15_000) - 9, 900] }, Infinity, false],
    ['it is busy all the while', { steady: 500 }, Infinity, true],
  ])('%s', (_, cpu, quietUntil, expected) =>
    expect(sourceOf({ pods: [], connected: [{ cpu, quietUntil }] }).mayChange(NOW)).toBe(expected),
  );
});
