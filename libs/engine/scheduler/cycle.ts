import type { Pod } from '../api/core_v1.js';
import type { Random } from '../machinery/random.js';
import type { FitError } from './fit-error.js';
import type { NodeInfo } from './node-info.js';
import { unresolvable, type Filter, type Rejection, type Snapshot } from './plugin.js';
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
  const active: Filter[] = [];
  for (const plugin of filters) {
    const filter = plugin.preFilter(pod, snapshot);
    if (!filter) continue;
    if (typeof filter === 'object') {
      const rejection = unresolvable(filter.preFilterMessage);
      return {
        nodes: nodes.length,
        preFilterMessage: filter.preFilterMessage,
        rejections: new Map(nodes.map((n) => [n, rejection])),
        filters: [],
      };
    }
    active.push(filter);
  }
  const feasible: NodeInfo[] = [];
  const rejections = new Map<NodeInfo, Rejection>();
  const enough = numFeasibleNodesToFind(nodes.length);
  const start = enough < nodes.length ? random.below(nodes.length) : 0;
  for (let i = 0; i < nodes.length && feasible.length < enough; i++) {
    const info = nodes[(start + i) % nodes.length]!;
    const rejection = runFilters(active, info);
    if (rejection) rejections.set(info, rejection);
    else feasible.push(info);
  }
  if (feasible.length === 0) return { nodes: nodes.length, rejections, filters: active };
  return { node: feasible.length === 1 ? feasible[0]! : selectHost(pod, snapshot, feasible, random) };
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
