import { describe, expect, test } from '@jest/globals';
import type { Node, Pod, PodSpec } from '../api/core_v1.js';
import { SeededRandom } from '../machinery/random.js';
import type { SchedulerCache } from './cache/cache.js';
import { numFeasibleNodesToFind, runFilters, schedulePod } from './cycle.js';
import { fitErrorMessage } from './fit-error.js';
import { NodeInfo } from './cache/node-info.js';
import { unschedulable } from './plugin.js';
import { findVictims } from './preemption.js';
import { cacheOf, makeNode, makePod, readerOf, requesting, snapshotOf, zone } from './testing.js';

const TAINTED = makeNode('control-plane', {
  spec: { taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }] },
});
const WORKERS = [makeNode('worker-1'), makeNode('worker-2')];
const ALL = [TAINTED, ...WORKERS];

function outcome(pod: Pod, cache: SchedulerCache): string {
  const result = schedulePod(pod, { nodes: cache.nodes(), read: readerOf([]) }, new SeededRandom(1));
  if ('node' in result) return result.node.name;
  const found = findVictims(pod, result);
  return 'node' in found
    ? `preempts ${found.victims.map((v) => v.metadata.name).join(',')} on ${found.node.name}`
    : fitErrorMessage(result, found.why);
}

describe('why a pod fits nowhere', () => {
  test.each<[string, Partial<PodSpec>, readonly Node[], string]>([
    [
      'too much CPU for any node',
      requesting({ cpu: '64' }),
      ALL,
      '0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.',
    ],
    [
      'a selector nobody meets',
      { nodeSelector: { disk: 'ssd' } },
      ALL,
      "0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
    ],
    [
      'cordoned nodes',
      {},
      [makeNode('a', { spec: { unschedulable: true } })],
      '0/1 nodes are available: 1 node(s) were unschedulable. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.',
    ],
    [
      'an extended resource',
      requesting({ 'nvidia.com/gpu': '1' }),
      WORKERS,
      '0/2 nodes are available: 2 Insufficient nvidia.com/gpu. no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.',
    ],
    [
      'no room for pods',
      {},
      [makeNode('a', { pods: '0' })],
      '0/1 nodes are available: 1 Too many pods. no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.',
    ],
    [
      'affinity to a pod that is not there',
      {
        affinity: {
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { labelSelector: { matchLabels: { app: 'db' } }, topologyKey: 'kubernetes.io/hostname' },
            ],
          },
        },
      },
      WORKERS,
      "0/2 nodes are available: 2 node(s) didn't match pod affinity rules. no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.",
    ],
    [
      'a claim that is not there',
      { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] },
      WORKERS,
      '0/2 nodes are available: persistentvolumeclaim "data" not found. no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.',
    ],
    ['no nodes', {}, [], 'no nodes available to schedule pods'],
  ])('%s', (_name, spec, nodes, expected) => {
    expect(outcome(makePod(spec), cacheOf(nodes))).toBe(expected);
  });

  test('a host port that is taken', () => {
    const spec: Partial<PodSpec> = {
      containers: [{ name: 'c', image: 'nginx', ports: [{ containerPort: 80, hostPort: 80 }] }],
    };
    expect(outcome(makePod(spec), cacheOf([WORKERS[0]!], [makePod(spec, {}, 'worker-1')]))).toContain(
      "1 node(s) didn't have free ports for the requested pod ports",
    );
  });

  test('anti-affinity, its own and that of a pod that runs', () => {
    const apart: Partial<PodSpec> = {
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { labelSelector: { matchLabels: { app: 'a' } }, topologyKey: 'kubernetes.io/hostname' },
          ],
        },
      },
    };
    const running = makePod(apart, { app: 'a' }, 'worker-1');
    expect(outcome(makePod(apart, { app: 'a' }), cacheOf([WORKERS[0]!], [running]))).toContain(
      "1 node(s) didn't match pod anti-affinity rules",
    );
    expect(outcome(makePod({}, { app: 'a' }), cacheOf([WORKERS[0]!], [running]))).toContain(
      "1 node(s) didn't satisfy existing pods anti-affinity rules",
    );
    expect(outcome(makePod(apart, { app: 'a' }), cacheOf(WORKERS, [running]))).toBe('worker-2');
  });
});

describe('where a pod goes', () => {
  test('the emptier node', () => {
    expect(
      outcome(
        makePod(requesting({ cpu: '1' })),
        cacheOf(WORKERS, [makePod(requesting({ cpu: '2', memory: '4Gi' }), {}, 'worker-1')]),
      ),
    ).toBe('worker-2');
  });

  test('a tainted node when it tolerates the taint and asks for it', () => {
    const spec: Partial<PodSpec> = {
      nodeSelector: { 'kubernetes.io/hostname': 'control-plane' },
      tolerations: [{ key: 'node-role.kubernetes.io/control-plane', operator: 'Exists' }],
    };
    expect(outcome(makePod(spec), cacheOf(ALL))).toBe('control-plane');
  });

  test('the zone with fewer of its kind, when skew is forbidden', () => {
    const spec: Partial<PodSpec> = {
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'topology.kubernetes.io/zone',
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: { matchLabels: { app: 'a' } },
        },
      ],
    };
    const nodes = [makeNode('a', { labels: zone('x') }), makeNode('b', { labels: zone('y') })];
    expect(outcome(makePod(spec, { app: 'a' }), cacheOf(nodes, [makePod({}, { app: 'a' }, 'a')]))).toBe('b');
  });

  test('with room that an ended pod has left', () => {
    const cache = cacheOf([WORKERS[0]!]);
    const running = makePod(requesting({ cpu: '4' }), {}, 'worker-1');
    cache.onPod(undefined, running);
    expect(outcome(makePod(requesting({ cpu: '1' })), cache)).toContain('1 Insufficient cpu');
    cache.onPod(running, { ...running, status: { phase: 'Succeeded' } });
    expect(outcome(makePod(requesting({ cpu: '1' })), cache)).toBe('worker-1');
  });
});

test('init containers and sidecars count as Kubernetes counts them', () => {
  const spec: Partial<PodSpec> = {
    initContainers: [
      { name: 'sidecar', image: 'a', restartPolicy: 'Always', resources: { requests: { cpu: '1' } } },
      { name: 'init', image: 'a', resources: { requests: { cpu: '3' } } },
    ],
    ...requesting({ cpu: '1' }),
  };
  // The init container beside the sidecar needs 4, more than the 2 of the running pod.
  expect(outcome(makePod(spec), cacheOf([makeNode('a', { cpu: '4' })]))).toBe('a');
  expect(outcome(makePod(spec), cacheOf([makeNode('a', { cpu: '3900m' })]))).toContain('1 Insufficient cpu');
});

test.each([
  [0, 0],
  [100, 100],
  // Half of them would be 50, but it is never less than 100.
  [101, 100],
  [1_000, 420],
  [5_000, 500],
  [6_000, 300],
])('of %i nodes it is enough to find %i', (nodes, enough) => expect(numFeasibleNodesToFind(nodes)).toBe(enough));

test('a cycle of a large cluster does not look at all nodes', () => {
  const nodes = Array.from({ length: 200 }, (_, i) => makeNode(`n${String(i).padStart(3, '0')}`));
  const snapshot = snapshotOf(nodes);
  const chosen = new Set(
    Array.from({ length: 20 }, (_, seed) => {
      const result = schedulePod(makePod(), snapshot, new SeededRandom(seed));
      return 'node' in result ? result.node.name : '';
    }),
  );
  expect(chosen.size).toBeGreaterThan(5);
  expect(chosen.has('')).toBe(false);
});

test('of equal nodes any is chosen, by the seed', () => {
  const snapshot = snapshotOf(WORKERS);
  const choose = (seed: number): unknown => schedulePod(makePod(), snapshot, new SeededRandom(seed));
  expect(choose(1)).toEqual(choose(1));
  expect(new Set([1, 2, 3, 4, 5, 6, 7, 8].map((seed) => JSON.stringify(choose(seed)))).size).toBe(2);
});

test('the first filter that rejects a node gives the reason', () => {
  const reject = (reason: string) => () => unschedulable(reason);
  expect(runFilters([() => undefined, reject('a'), reject('b')], new NodeInfo('n'))).toEqual(unschedulable('a'));
  expect(runFilters([], new NodeInfo('n'))).toBeUndefined();
});
