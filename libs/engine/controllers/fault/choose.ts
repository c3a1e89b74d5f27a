import type { Node, Pod } from '../../api/core_v1.js';
import { MAX_CHOSEN, meetsFilter, podName, type Ends, type Given, type PodFilter } from '../../faults/index.js';
import type { Selection, Target } from '../../faults/target.js';
import { isPodTerminal } from '../../kinds/core/pod/status/phase.js';
import { Nodes, Pods } from '../../kinds/index.js';
import type { Reader } from '../../machinery/reader.js';
import { hash32, SeededRandom } from '../../machinery/random.js';
import { matchesMap } from '../../machinery/selectors/label-selector.js';

type Chosen = Pick<Given, 'nodes' | 'pods' | 'scope' | 'to'>;

/** Chooses what a fault acts on, by its seed. Only those of now are candidates, ordered by name. */
export function chooseTargets(
  read: Reader,
  target: Target,
  selects: 'nodes' | 'pods' | 'cluster',
  seed: number,
): Chosen {
  const to = target.to && { to: endsOf(read, target.to) };
  if (selects === 'cluster') return { nodes: [], pods: [], scope: { where: {} }, ...to };
  if (selects === 'nodes')
    return { nodes: draw(nodeNames(read, target), target, seed), pods: [], scope: { where: {} }, ...to };
  const filter = filterOf(read, target);
  const pods = draw(podNames(read, filter), target, seed);
  // All of them are also those that come later.
  const scope = (target.mode ?? 'all') === 'all' ? { where: filter } : { chosen: pods };
  return { nodes: [], pods, scope, ...to };
}

const endsOf = (read: Reader, selection: Selection): Ends =>
  selection.pods || selection.podSelector || selection.namespaces
    ? { pods: { where: filterOf(read, selection) } }
    : { nodes: nodeNames(read, selection) };

function filterOf(read: Reader, selection: Selection): PodFilter {
  const { namespaces, podSelector, pods, nodes, nodeSelector } = selection;
  const on = nodeSelector ? nodeNames(read, selection) : nodes;
  return {
    ...(namespaces ? { namespaces } : {}),
    ...(podSelector ? { podSelector } : {}),
    ...(pods ? { pods } : {}),
    ...(on ? { nodes: on } : {}),
  };
}

const nodeNames = (read: Reader, { nodes, nodeSelector }: Selection): string[] =>
  read
    .list(Nodes)
    .filter(({ metadata }: Node) => !nodes || nodes.includes(metadata.name ?? ''))
    .filter(({ metadata }) => !nodeSelector || matchesMap(nodeSelector, metadata.labels))
    .map(({ metadata }) => metadata.name ?? '')
    .slice(0, MAX_CHOSEN);

const podNames = (read: Reader, filter: PodFilter): string[] =>
  (filter.namespaces?.flatMap((namespace) => read.list(Pods, namespace)) ?? read.list(Pods))
    .filter((pod: Pod) => !isPodTerminal(pod) && !pod.metadata.deletionTimestamp && meetsFilter(filter, pod))
    .map(podName)
    .slice(0, MAX_CHOSEN);

/** Those that the mode leaves, in the order of their names. */
function draw(names: readonly string[], { mode = 'all', value = 1 }: Target, seed: number): readonly string[] {
  if (mode === 'all') return names;
  const wanted =
    mode === 'one' ? 1 : mode === 'fixed' ? Math.floor(value) : Math.max(1, Math.floor((names.length * value) / 100));
  const random = new SeededRandom(seed, hash32(mode));
  const left = [...names];
  const chosen = new Set<string>();
  while (chosen.size < wanted && left.length > 0) chosen.add(left.splice(random.below(left.length), 1)[0]!);
  return names.filter((name) => chosen.has(name));
}
