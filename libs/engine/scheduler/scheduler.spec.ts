import { describe, expect, test } from '@jest/globals';
import type { Node, Pod, PodSpec } from '../api/core_v1.js';
import type { Reader } from '../machinery/client.js';
import { SeededRandom } from '../machinery/random.js';
import { SchedulerCache } from './cache.js';
import { schedulePod, type FitError } from './cycle.js';
import { fitErrorMessage } from './fit-error.js';
import { findVictims } from './preemption.js';

const NOTHING: Reader = { get: () => undefined, list: () => [], byIndex: () => [], dependents: () => [], revision: 0 };

const node = (
  name: string,
  more: { spec?: Node['spec']; labels?: Record<string, string>; cpu?: string; pods?: string } = {},
): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { 'kubernetes.io/hostname': name, ...more.labels } },
  spec: more.spec ?? {},
  status: { allocatable: { cpu: more.cpu ?? '4', memory: '8Gi', pods: more.pods ?? '110' } },
});

let count = 0;
const pod = (spec: Partial<PodSpec>, labels: Record<string, string> = {}, nodeName?: string): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `p-${++count}`, namespace: 'default', uid: `u-${count}`, labels },
  spec: { containers: [{ name: 'c', image: 'nginx' }], ...spec, ...(nodeName ? { nodeName } : {}) },
  status: {},
});
const requests = (resources: Record<string, string>): Partial<PodSpec> => ({
  containers: [{ name: 'c', image: 'nginx', resources: { requests: resources } }],
});

function cacheOf(nodes: readonly Node[], pods: readonly Pod[] = []): SchedulerCache {
  const cache = new SchedulerCache();
  for (const n of nodes) cache.onNode(undefined, n);
  for (const p of pods) cache.onPod(undefined, p);
  return cache;
}

function outcome(wanted: Pod, cache: SchedulerCache, read = NOTHING): string {
  const result = schedulePod(wanted, { nodes: cache.nodes(), read }, new SeededRandom(1));
  if ('node' in result) return result.node.name;
  const found = findVictims(wanted, result);
  return 'node' in found
    ? `preempts ${found.victims.map((v) => v.metadata.name).join(',')} on ${found.node.name}`
    : message(result, found.why);
}
const message = (f: FitError, why: string): string =>
  fitErrorMessage(f.nodes, { nowhere: f.preFilterMessage, rejections: f.rejections.values() }, why);

const TAINTED = node('control-plane', {
  spec: { taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }] },
});
const WORKERS = [node('worker-1'), node('worker-2')];
const ALL = [TAINTED, ...WORKERS];
const zone = (z: string): Record<string, string> => ({ 'topology.kubernetes.io/zone': z });

describe('why a pod fits nowhere', () => {
  test.each<[string, Partial<PodSpec>, readonly Node[], string]>([
    [
      'too much CPU for any node',
      requests({ cpu: '64' }),
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
      [node('a', { spec: { unschedulable: true } })],
      '0/1 nodes are available: 1 node(s) were unschedulable. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.',
    ],
    [
      'an extended resource',
      requests({ 'nvidia.com/gpu': '1' }),
      WORKERS,
      '0/2 nodes are available: 2 Insufficient nvidia.com/gpu. no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.',
    ],
    [
      'no room for pods',
      {},
      [node('a', { pods: '0' })],
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
    expect(outcome(pod(spec), cacheOf(nodes))).toBe(expected);
  });

  test('a host port that is taken', () => {
    const spec: Partial<PodSpec> = {
      containers: [{ name: 'c', image: 'nginx', ports: [{ containerPort: 80, hostPort: 80 }] }],
    };
    expect(outcome(pod(spec), cacheOf([WORKERS[0]!], [pod(spec, {}, 'worker-1')]))).toContain(
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
    const running = pod(apart, { app: 'a' }, 'worker-1');
    expect(outcome(pod(apart, { app: 'a' }), cacheOf([WORKERS[0]!], [running]))).toContain(
      "1 node(s) didn't match pod anti-affinity rules",
    );
    expect(outcome(pod({}, { app: 'a' }), cacheOf([WORKERS[0]!], [running]))).toContain(
      "1 node(s) didn't satisfy existing pods anti-affinity rules",
    );
    expect(outcome(pod(apart, { app: 'a' }), cacheOf(WORKERS, [running]))).toBe('worker-2');
  });
});

describe('where a pod goes', () => {
  test('the emptier node', () => {
    expect(
      outcome(
        pod(requests({ cpu: '1' })),
        cacheOf(WORKERS, [pod(requests({ cpu: '2', memory: '4Gi' }), {}, 'worker-1')]),
      ),
    ).toBe('worker-2');
  });

  test('a tainted node when it tolerates the taint and asks for it', () => {
    const spec: Partial<PodSpec> = {
      nodeSelector: { 'kubernetes.io/hostname': 'control-plane' },
      tolerations: [{ key: 'node-role.kubernetes.io/control-plane', operator: 'Exists' }],
    };
    expect(outcome(pod(spec), cacheOf(ALL))).toBe('control-plane');
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
    const nodes = [node('a', { labels: zone('x') }), node('b', { labels: zone('y') })];
    expect(outcome(pod(spec, { app: 'a' }), cacheOf(nodes, [pod({}, { app: 'a' }, 'a')]))).toBe('b');
  });

  test('where a less important pod gives way', () => {
    const low = pod({ ...requests({ cpu: '3' }), priority: 0 }, {}, 'worker-1');
    expect(outcome(pod({ ...requests({ cpu: '3' }), priority: 1000 }), cacheOf([WORKERS[0]!], [low]))).toBe(
      `preempts ${low.metadata.name} on worker-1`,
    );
    expect(outcome(pod({ ...requests({ cpu: '3' }), priority: 0 }), cacheOf([WORKERS[0]!], [low]))).toContain(
      '1 No preemption victims found for incoming pod.',
    );
  });

  test('with room that an ended pod has left', () => {
    const cache = cacheOf([WORKERS[0]!]);
    const running = pod(requests({ cpu: '4' }), {}, 'worker-1');
    cache.onPod(undefined, running);
    expect(outcome(pod(requests({ cpu: '1' })), cache)).toContain('1 Insufficient cpu');
    cache.onPod(running, { ...running, status: { phase: 'Succeeded' } });
    expect(outcome(pod(requests({ cpu: '1' })), cache)).toBe('worker-1');
  });
});

test('init containers and sidecars count as Kubernetes counts them', () => {
  const spec: Partial<PodSpec> = {
    initContainers: [
      { name: 'sidecar', image: 'a', restartPolicy: 'Always', resources: { requests: { cpu: '1' } } },
      { name: 'init', image: 'a', resources: { requests: { cpu: '3' } } },
    ],
    ...requests({ cpu: '1' }),
  };
  // The init container beside the sidecar needs 4, more than the 2 of the running pod.
  expect(outcome(pod(spec), cacheOf([node('a', { cpu: '4' })]))).toBe('a');
  expect(outcome(pod(spec), cacheOf([node('a', { cpu: '3900m' })]))).toContain('1 Insufficient cpu');
});
