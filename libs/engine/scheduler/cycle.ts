import type { Pod } from '../api/core_v1.js';
import type { Random } from '../machinery/random.js';
import type { NodeInfo } from './node-info.js';
import type { Snapshot, Filter, Rejection } from './plugin.js';
import { unresolvable } from './plugin.js';
import { filters, scores } from './plugins/index.js';

export interface ScheduleResult {
  readonly node: NodeInfo;
}

/** Why a pod fits nowhere. `filters` are what preemption tries again on nodes without their victims. */
export interface FitError {
  readonly nodes: number;
  readonly preFilterMessage?: string;
  readonly rejections: ReadonlyMap<NodeInfo, Rejection>;
  readonly filters: readonly Filter[];
}

/** Above this many nodes only a part is looked at. Models schedule_one.go numFeasibleNodesToFind. */
const MIN_FEASIBLE = 100;
const numFeasibleNodesToFind = (nodes: number): number =>
  nodes <= MIN_FEASIBLE
    ? nodes
    : Math.max(MIN_FEASIBLE, Math.floor((nodes * Math.max(5, 50 - Math.floor(nodes / 125))) / 100));

/** One scheduling cycle: filter, score, choose. Models pkg/scheduler/schedule_one.go schedulePod. */
export function schedulePod(pod: Pod, cluster: Snapshot, random: Random): ScheduleResult | FitError {
  const { nodes } = cluster;
  const active: Filter[] = [];
  for (const plugin of filters) {
    const prepared = plugin.preFilter(pod, cluster);
    if (!prepared) continue;
    if (typeof prepared === 'object') {
      const never = unresolvable(prepared.preFilterMessage);
      return {
        nodes: nodes.length,
        preFilterMessage: prepared.preFilterMessage,
        rejections: new Map(nodes.map((n) => [n, never])),
        filters: [],
      };
    }
    active.push(prepared);
  }
  const feasible: NodeInfo[] = [];
  const rejections = new Map<NodeInfo, Rejection>();
  const wanted = numFeasibleNodesToFind(nodes.length);
  const start = wanted < nodes.length ? random.below(nodes.length) : 0;
  for (let i = 0; i < nodes.length && feasible.length < wanted; i++) {
    const info = nodes[(start + i) % nodes.length]!;
    const rejection = runFilters(active, info);
    if (rejection) rejections.set(info, rejection);
    else feasible.push(info);
  }
  if (feasible.length === 0) return { nodes: nodes.length, rejections, filters: active };
  return { node: feasible.length === 1 ? feasible[0]! : selectHost(pod, cluster, feasible, random) };
}

export function runFilters(active: readonly Filter[], info: NodeInfo): Rejection | undefined {
  for (const filter of active) {
    const rejection = filter(info);
    if (rejection) return rejection;
  }
  return undefined;
}

function selectHost(pod: Pod, cluster: Snapshot, feasible: readonly NodeInfo[], random: Random): NodeInfo {
  const totals = new Array<number>(feasible.length).fill(0);
  for (const plugin of scores) {
    const score = plugin.preScore(pod, cluster, feasible);
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
