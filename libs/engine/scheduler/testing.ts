import type { Node, Pod, PodSpec } from '../api/core_v1.js';
import { kinds } from '../kinds/index.js';
import type { Reader } from '../machinery/client.js';
import type { KubeObject } from '../machinery/meta/object.js';
import { Registry } from '../runtime/registry.js';
import { State } from '../runtime/state/state.js';
import { SchedulerCache } from './cache/cache.js';
import type { FilterPlugin, Rejection, ScorePlugin, Snapshot } from './plugin.js';

interface NodeFields {
  readonly spec?: Node['spec'];
  readonly labels?: Record<string, string>;
  readonly cpu?: string;
  readonly memory?: string;
  readonly pods?: string;
  readonly status?: Partial<Node['status']>;
}

/** A node with 4 CPUs, 8 GiB and room for 110 pods, labelled with its name as the kubelet does. */
export const makeNode = (name: string, fields: NodeFields = {}): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { 'kubernetes.io/hostname': name, ...fields.labels } },
  spec: fields.spec ?? {},
  status: {
    allocatable: { cpu: fields.cpu ?? '4', memory: fields.memory ?? '8Gi', pods: fields.pods ?? '110' },
    ...fields.status,
  },
});

let count = 0;
/** A pod of one container, with a name and uid of its own; with `nodeName` it is assigned. */
export const makePod = (spec: Partial<PodSpec> = {}, labels: Record<string, string> = {}, nodeName?: string): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `p-${++count}`, namespace: 'default', uid: `u-${count}`, labels },
  spec: { containers: [{ name: 'c', image: 'nginx' }], ...spec, ...(nodeName ? { nodeName } : {}) },
  status: {},
});

/** A spec of one container with these requests. */
export const requesting = (requests: Record<string, string>): Partial<PodSpec> => ({
  containers: [{ name: 'c', image: 'nginx', resources: { requests } }],
});

export const zone = (value: string): Record<string, string> => ({ 'topology.kubernetes.io/zone': value });

export function cacheOf(nodes: readonly Node[], pods: readonly Pod[] = []): SchedulerCache {
  const cache = new SchedulerCache();
  for (const node of nodes) cache.onNode(undefined, node);
  for (const pod of pods) cache.onPod(undefined, pod);
  return cache;
}

export function readerOf(objects: readonly KubeObject[]): Reader {
  const state = new State();
  const registry = new Registry(kinds);
  for (const object of objects) state.load(state.resourceOf(registry.kindOf(object)!), object);
  return state;
}

export const snapshotOf = (
  nodes: readonly Node[],
  pods: readonly Pod[] = [],
  objects: readonly KubeObject[] = [],
): Snapshot => ({ nodes: cacheOf(nodes, pods).nodes(), read: readerOf(objects) });

/**
 * The filter's rejections of the nodes, by their names: the reasons, with a '!' before unresolvable ones. 'Skip' when
 * the plug-in skips the pod; the message when it rejects the pod in PreFilter.
 */
export function filterNodes(plugin: FilterPlugin, pod: Pod, snapshot: Snapshot): Record<string, string> | string {
  const filter = plugin.preFilter(pod, snapshot);
  if (!filter) return 'Skip';
  if (typeof filter === 'object') return filter.preFilterMessage;
  const print = ({ reasons, unresolvable }: Rejection): string => (unresolvable ? '!' : '') + reasons.join(', ');
  return Object.fromEntries(
    snapshot.nodes.flatMap((info) => {
      const rejection = filter(info);
      return rejection ? [[info.name, print(rejection)]] : [];
    }),
  );
}

/** The normalized scores of the nodes, by their names; 'Skip' when the plug-in skips the pod. */
export function scoreNodes(plugin: ScorePlugin, pod: Pod, snapshot: Snapshot): Record<string, number> | string {
  const { nodes } = snapshot;
  const score = plugin.preScore(pod, snapshot, nodes);
  if (!score) return 'Skip';
  const scores = nodes.map((info) => score.score(info));
  score.normalizeScores?.(scores);
  return Object.fromEntries(nodes.map(({ name }, i) => [name, scores[i]!]));
}
