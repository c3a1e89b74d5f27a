import type { Pod } from '../api/core_v1.js';
import type { Random } from '../machinery/random.js';
import type { FitError } from './fit-error.js';
import type { NodeInfo } from './cache/node-info.js';
import { unresolvable, type Filter, type PreFilterRejection, type Rejection, type Snapshot } from './plugin.js';
import { filters, scores } from './plugins/index.js';

/** The node for a pod. */
export interface ScheduleResult {
  readonly node: NodeInfo;
}

const MIN_FEASIBLE = 100;

/** In a large cluster, a cycle stops at this many feasible nodes. Models schedule_one.go numFeasibleNodesToFind. */
export const numFeasibleNodesToFind = (nodes: number): number =>
  nodes <= MIN_FEASIBLE
    ? nodes
    : Math.max(MIN_FEASIBLE, Math.floor((nodes * Math.max(5, 50 - Math.floor(nodes / 125))) / 100));

/** One scheduling cycle: filters the nodes, scores them and selects one. Models schedule_one.go schedulePod. */
export function schedulePod(pod: Pod, snapshot: Snapshot, random: Random): ScheduleResult | FitError {
  const { nodes } = snapshot;
  const active = runPreFilters(pod, snapshot);
  if ('preFilterMessage' in active) {
    const { preFilterMessage } = active;
    const rejection = unresolvable(preFilterMessage);
    const filter = (): Rejection => rejection;
    return { nodes: nodes.length, preFilterMessage, rejections: new Map(nodes.map((n) => [n, rejection])), filter };
  }
  const filter = leaveRoom(pod, snapshot, active);
  const { nominatedNodeName } = pod.status;
  const nominated = nominatedNodeName ? nodes.find(({ name }) => name === nominatedNodeName) : undefined;
  if (nominated && !filter(nominated)) return { node: nominated };
  const feasible: NodeInfo[] = [];
  const rejections = new Map<NodeInfo, Rejection>();
  const enough = numFeasibleNodesToFind(nodes.length);
  const start = enough < nodes.length ? random.below(nodes.length) : 0;
  for (let i = 0; i < nodes.length && feasible.length < enough; i++) {
    const info = nodes[(start + i) % nodes.length]!;
    const rejection = filter(info);
    if (rejection) rejections.set(info, rejection);
    else feasible.push(info);
  }
  if (feasible.length === 0) return { nodes: nodes.length, rejections, filter };
  return { node: feasible.length === 1 ? feasible[0]! : selectHost(pod, snapshot, feasible, random) };
}

/** The filters that the pod does not skip. Models RunPreFilterPlugins. */
function runPreFilters(pod: Pod, snapshot: Snapshot): Filter[] | PreFilterRejection {
  const active: Filter[] = [];
  for (const plugin of filters) {
    const filter = plugin.preFilter(pod, snapshot);
    if (typeof filter === 'object') return filter;
    if (filter) active.push(filter);
  }
  return active;
}

/**
 * Filters a node that others are nominated to run on twice: as if they ran there already, since the pod must not take
 * the room that was made for them, and as it is, since they may end up elsewhere. Models
 * RunFilterPluginsWithNominatedPods.
 */
function leaveRoom(pod: Pod, { nodes, read, nominations }: Snapshot, active: readonly Filter[]): Filter {
  return (info) => {
    const ahead = nominations?.aheadOf(pod, info.name) ?? [];
    if (ahead.length === 0) return runFilters(active, info);
    const crowded = info.with(ahead);
    const others = nodes.map((node) => (node.name === info.name ? crowded : node));
    const crowdedFilters = runPreFilters(pod, { nodes: others, read });
    if ('preFilterMessage' in crowdedFilters) return unresolvable(crowdedFilters.preFilterMessage);
    return runFilters(crowdedFilters, crowded) ?? runFilters(active, info);
  };
}

/** The first rejection of the node by the filters, in their order. Models RunFilterPlugins. */
export function runFilters(active: readonly Filter[], info: NodeInfo): Rejection | undefined {
  for (const filter of active) {
    const rejection = filter(info);
    if (rejection) return rejection;
  }
  return undefined;
}

/** The node with the highest weighted sum of scores; of equal ones any. Models prioritizeNodes and selectHost. */
function selectHost(pod: Pod, snapshot: Snapshot, feasible: readonly NodeInfo[], random: Random): NodeInfo {
  const totals = new Array<number>(feasible.length).fill(0);
  for (const plugin of scores) {
    const score = plugin.preScore(pod, snapshot, feasible);
    if (!score) continue;
    const own = feasible.map((info) => score.score(info));
    score.normalizeScores?.(own);
    for (let i = 0; i < own.length; i++) totals[i]! += own[i]! * plugin.weight;
  }
  let top = -Infinity;
  let ties: number[] = [];
  totals.forEach((total, i) => {
    if (total > top) [top, ties] = [total, [i]];
    else if (total === top) ties.push(i);
  });
  return feasible[ties.length === 1 ? ties[0]! : ties[random.below(ties.length)]!]!;
}
