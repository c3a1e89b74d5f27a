import type { Pod } from '../../../api/core_v1.js';
import type { Target } from '../../../faults/index.js';
import { Nodes, Pods } from '../../../kinds/index.js';
import type { Ground } from '../ground.js';
import { HELPERS } from '../helpers/helper-specs.js';
import type { HelperTarget } from '../helpers/helpers.js';
import { errorOf, listTargets, podsOf, splitList, targetsOf, type ChaosError } from './targets.js';

const HOGS = ['node-cpu-hog', 'node-memory-hog'];

const isError = <T extends object>(found: T | ChaosError): found is ChaosError => 'errorCode' in found;

/** What a fault without helpers acts on: the choice is its own, and anew in each round. */
export function aimAt(ground: Ground, selects: 'pods' | 'nodes'): Target | ChaosError {
  if (selects === 'nodes') {
    const nodes = chooseNodes(ground);
    return isError(nodes) ? nodes : { nodes };
  }
  const pods = candidates(ground);
  if (isError(pods)) return pods;
  const names = pods.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  if (isNamed(ground)) return { pods: names };
  const percent = Number(ground.env.get('PODS_AFFECTED_PERC'));
  const share = percent > 0 ? { mode: 'percent' as const, value: Math.min(100, percent) } : { mode: 'one' as const };
  return { pods: names, ...share };
}

/** What helpers act on, for each node: chosen once. Models GetTargetPods, FilterPodsForNodes and GetNodeList. */
export function chooseTargets(ground: Ground): readonly HelperTarget[] | ChaosError {
  if (!HELPERS[ground.experiment]!.ofPods) {
    const nodes = chooseNodes(ground);
    return isError(nodes) ? nodes : nodes.map((node) => ({ node, pods: [] }));
  }
  const pods = candidates(ground);
  if (isError(pods)) return pods;
  const chosen = isNamed(ground) ? pods : chooseShare(ground, pods, 'PODS_AFFECTED_PERC');
  const byNode = new Map<string, Pod[]>();
  for (const pod of chosen) {
    const node = pod.spec.nodeName ?? '';
    byNode.set(node, [...(byNode.get(node) ?? []), pod]);
  }
  return [...byNode].map(([node, own]) => ({ node, pods: own }));
}

/** From one on, as many as the share says, one at least. Models filterPodsByPercentage. */
function chooseShare<T>({ context, env }: Ground, all: readonly T[], variable: string): T[] {
  const percent = Math.min(100, Math.max(0, Number(env.get(variable)) || 0));
  const count = Math.max(1, Math.floor((percent * all.length) / 100));
  const first = context.random.below(all.length);
  return Array.from({ length: count }, (_, i) => all[(first + i) % all.length]!);
}

const isNamed = ({ engine, env }: Ground): boolean =>
  splitList(env.get('TARGET_PODS') ?? '').length > 0 || targetsOf(engine).every(({ kind }) => kind === 'pod');

/** The pods that are meant, of which one or some are chosen. */
function candidates({ context, engine, env }: Ground): readonly Pod[] | ChaosError {
  const targets = targetsOf(engine);
  const namespace = targets[0]?.namespace ?? engine.metadata.namespace ?? '';
  const found: Pod[] = [];
  const names = splitList(env.get('TARGET_PODS') ?? '');
  for (const name of names) {
    const pod = context.client.get(Pods, { namespace, name });
    const target = `{podName: ${name}, namespace: ${namespace}}`;
    if (!pod) return errorOf('TARGET_SELECTION_ERROR', "pod doesn't exist set by TARGET_PODS ENV", target);
    found.push(pod);
  }
  if (names.length > 0) return found;
  if (targets.length === 0) return errorOf('TARGET_SELECTION_ERROR', 'provide one of the appLabel or TARGET_PODS');
  const pods = new Map(
    targets.flatMap((one) => podsOf(context.client, one)).map((pod) => [pod.metadata.uid, pod] as const),
  );
  return pods.size > 0
    ? [...pods.values()]
    : errorOf('TARGET_SELECTION_ERROR', 'no target pods found', listTargets(targets));
}

/** Hogs take any node, or a share of them, where none is named. */
function chooseNodes(ground: Ground): readonly string[] | ChaosError {
  const { context, env, experiment } = ground;
  const named = splitList(env.get('TARGET_NODE') || env.get('TARGET_NODES') || '');
  const missing = named.find((name) => !context.client.get(Nodes, { namespace: '', name }));
  if (missing !== undefined)
    return errorOf('TARGET_SELECTION_ERROR', `nodes "${missing}" not found`, `{nodeName: ${missing}}`);
  if (named.length > 0) return named;
  if (!HOGS.includes(experiment)) return errorOf('TARGET_SELECTION_ERROR', 'provide TARGET_NODE');
  const all = context.client.list(Nodes).map(({ metadata }) => metadata.name ?? '');
  return all.length > 0
    ? chooseShare(ground, all, 'NODES_AFFECTED_PERC')
    : errorOf('TARGET_SELECTION_ERROR', 'no node found');
}
