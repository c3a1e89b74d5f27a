import { describe, expect, test } from '@jest/globals';
import type { Node, Pod } from '../../api/core_v1.js';
import { SeededRandom } from '../../machinery/random.js';
import { schedulePod } from '../cycle.js';
import { fitErrorMessage } from '../fit-error.js';
import { Nominations } from './nominations.js';
import { cacheOf, makeNode, makePod, readerOf, requesting } from '../testing.js';

const cpu = (amount: string, priority: number, nominatedNodeName?: string): Pod => ({
  ...makePod({ ...requesting({ cpu: amount }), priority }),
  status: nominatedNodeName ? { nominatedNodeName } : {},
});

describe('the room of a node is kept', () => {
  const nominated = cpu('3', 10, 'a');
  const pods = new Nominations();
  pods.onPod(undefined, nominated);
  test.each<[string, Pod, string, boolean]>([
    ['from a pod of lower priority', cpu('1', 0), 'a', true],
    ['from one of its own priority', cpu('1', 10), 'a', true],
    ['not from one of higher priority', cpu('1', 11), 'a', false],
    ['not on another node', cpu('1', 0), 'b', false],
    ['not from itself', nominated, 'a', false],
  ])('%s', (_, pod, node, isKept) => expect(pods.aheadOf(pod, node)).toEqual(isKept ? [nominated] : []));

  test.each<[string, Pod | undefined]>([
    ['is deleted', undefined],
    ['is being deleted', { ...nominated, metadata: { ...nominated.metadata, deletionTimestamp: 't' } }],
    ['is bound', { ...nominated, spec: { ...nominated.spec, nodeName: 'a' } }],
    ['is nominated no more', { ...nominated, status: {} }],
    ['is nominated elsewhere', { ...nominated, status: { nominatedNodeName: 'b' } }],
  ])('until its pod %s', (_, next) => {
    const some = new Nominations();
    some.onPod(undefined, nominated);
    some.onPod(nominated, next);
    expect(some.aheadOf(cpu('1', 0), 'a')).toEqual([]);
  });

  test('and taken by a more important one', () => {
    expect(pods.behind(cpu('3', 11), 'a')).toEqual([nominated]);
    expect(pods.behind(cpu('3', 10), 'a')).toEqual([]);
  });
});

/** The node of the pod, or why it fits none. */
function place(pod: Pod, nodes: readonly Node[], pods: readonly Pod[]): string {
  const cache = cacheOf(nodes, pods);
  const snapshot = { nodes: cache.nodes(), read: readerOf([]), nominations: cache.nominations };
  const found = schedulePod(pod, snapshot, new SeededRandom(1));
  return 'node' in found ? found.node.name : fitErrorMessage(found);
}

describe('a cycle', () => {
  const NODES = [makeNode('a', { cpu: '4' }), makeNode('b', { cpu: '2' })];
  const high = cpu('3', 10, 'a');
  const apart = {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { labelSelector: { matchLabels: { app: 'x' } }, topologyKey: 'kubernetes.io/hostname' },
      ],
    },
  };
  const alone = makePod({ affinity: apart, priority: 0 });

  test.each<[string, Pod, readonly Pod[], string]>([
    ['leaves a nominated pod its room', cpu('2', 0), [high], 'b'],
    ['says so when there is no other', cpu('3', 0), [high], '0/2 nodes are available: 2 Insufficient cpu.'],
    ['lets a pod take what is left', cpu('1', 0), [high, cpu('2', 0, 'b')], 'a'],
    ['does not leave it to less important ones', cpu('3', 11), [high], 'a'],
    ['looks at the nominated node of a pod first', cpu('1', 10, 'b'), [], 'b'],
    ['looks elsewhere when that does not fit any more', cpu('3', 10, 'b'), [], 'a'],
    [
      'keeps a pod away from a nominated one that it does not like',
      alone,
      [{ ...high, metadata: { ...high.metadata, labels: { app: 'x' } } }],
      'b',
    ],
  ])('%s', (_, pod, pods, expected) => expect(place(pod, NODES, pods)).toBe(expected));
});
