import { describe, expect, test } from '@jest/globals';
import type { Node, Pod, PodSpec } from '../api/core_v1.js';
import { SeededRandom } from '../machinery/random.js';
import { schedulePod } from './cycle.js';
import { findVictims } from './preemption.js';
import { makeNode, makePod, requesting, snapshotOf } from './testing.js';

const NODE = makeNode('n', { cpu: '4' });
const cpu = (amount: string, priority: number, nodeName?: string, more: Partial<PodSpec> = {}): Pod =>
  makePod({ ...requesting({ cpu: amount }), priority, ...more }, {}, nodeName);
const started = (pod: Pod, startTime: string): Pod => ({ ...pod, status: { startTime } });

/** 'n: p-1,p-2', or the message. */
function preempt(pod: Pod, nodes: readonly Node[], pods: readonly Pod[]): string {
  const result = schedulePod(pod, snapshotOf(nodes, pods), new SeededRandom(1));
  if ('node' in result) throw new Error('the pod fits');
  const found = findVictims(pod, result);
  return 'why' in found ? found.why : `${found.node.name}: ${found.victims.map((v) => v.metadata.name).join()}`;
}
const nameOf = (pod: Pod): string => pod.metadata.name!;

describe('the victims on a node', () => {
  const [low, mid, high] = [cpu('2', 0, 'n'), cpu('1', 10, 'n'), cpu('1', 2_000, 'n')];
  test('are as few as possible', () =>
    expect(preempt(cpu('2', 1_000), [NODE], [low, mid, high])).toBe(`n: ${nameOf(low)}`));
  test('are the least important', () => {
    const equal = [cpu('2', 5, 'n'), cpu('2', 4, 'n')] as const;
    expect(preempt(cpu('2', 1_000), [NODE], equal)).toBe(`n: ${nameOf(equal[1])}`);
  });
  test('are those that started last, of equal importance', () => {
    const old = started(cpu('2', 0, 'n'), '2026-01-01T00:00:00Z');
    const young = started(cpu('2', 0, 'n'), '2026-01-02T00:00:00Z');
    expect(preempt(cpu('2', 1_000), [NODE], [young, old])).toBe(`n: ${nameOf(young)}`);
  });
  test('are several, if need be', () =>
    expect(preempt(cpu('3', 1_000), [NODE], [low, mid, high])).toBe(`n: ${nameOf(mid)},${nameOf(low)}`));
});

describe('of several nodes', () => {
  const nodes = [makeNode('a', { cpu: '2' }), makeNode('b', { cpu: '2' })];
  test.each<[string, [string, string, number][], string]>([
    [
      'the one whose highest victim is the lowest',
      [
        ['a', '2', 10],
        ['b', '2', 5],
      ],
      'b',
    ],
    [
      'the one with the lowest sum',
      [
        ['a', '1', 10],
        ['a', '1', 9],
        ['b', '1', 10],
        ['b', '1', 1],
      ],
      'b',
    ],
    [
      'the one with the fewest victims',
      [
        ['a', '1', 10],
        ['a', '1', 0],
        ['b', '2', 10],
      ],
      'b',
    ],
    [
      'the first',
      [
        ['a', '2', 10],
        ['b', '2', 10],
      ],
      'a',
    ],
  ])('%s is chosen', (_, victims, node) =>
    expect(
      preempt(
        cpu('2', 1_000),
        nodes,
        victims.map(([name, amount, priority]) => cpu(amount, priority, name)),
      ),
    ).toMatch(new RegExp(`^${node}: `)),
  );
});

describe('there are none', () => {
  const nominated = { ...cpu('3', 1_000), status: { nominatedNodeName: 'n' } };
  const running = cpu('3', 0, 'n');
  const leaving = { ...running, metadata: { ...running.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
  const MESSAGE = 'no new claims to deallocate, preemption: ';
  const none = (n: number, why: string): string => `${MESSAGE}0/${n} nodes are available: ${n} ${why}.`;

  test.each<[string, Pod, Node[], Pod[], string]>([
    ['of equal priority', cpu('3', 0), [NODE], [running], none(1, 'No preemption victims found for incoming pod')],
    [
      'whose eviction is enough',
      cpu('3', 1_000),
      [NODE],
      [cpu('3', 2_000, 'n'), cpu('1', 0, 'n')],
      none(1, 'No preemption victims found for incoming pod'),
    ],
    [
      'on a node that is too small',
      cpu('9', 1_000),
      [NODE],
      [running],
      none(1, 'Preemption is not helpful for scheduling'),
    ],
    [
      'on different nodes',
      cpu('4', 1_000),
      [NODE, makeNode('small', { cpu: '1' })],
      [cpu('3', 1_000, 'n')],
      `${MESSAGE}0/2 nodes are available: 1 No preemption victims found for incoming pod, 1 Preemption is not helpful for scheduling.`,
    ],
    [
      'for a pod that does not preempt',
      cpu('3', 1_000, undefined, { preemptionPolicy: 'Never' }),
      [NODE],
      [running],
      `${MESSAGE}not eligible due to preemptionPolicy=Never.`,
    ],
    [
      'while a victim is leaving',
      nominated,
      [NODE],
      [leaving],
      `${MESSAGE}not eligible due to a terminating pod on the nominated node.`,
    ],
  ])('%s', (_, pod, nodes, pods, message) => expect(preempt(pod, nodes, pods)).toBe(message));

  test('while another victim is leaving another node', () => {
    const elsewhere = { ...nominated, status: { nominatedNodeName: 'other' } };
    expect(preempt(elsewhere, [NODE], [leaving])).toBe(`n: ${nameOf(leaving)}`);
  });
});
