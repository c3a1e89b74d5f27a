import type { Pod, PodAffinityTerm } from '../../api/core_v1.js';
import type { Reader } from '../../machinery/client.js';
import { matchesLabelSelector } from '../../machinery/selectors/selectors.js';
import { Namespaces } from '../../kinds/index.js';
import {
  MAX_SCORE,
  unschedulable,
  unresolvable,
  type Snapshot,
  type Filter,
  type FilterPlugin,
  type ScorePlugin,
} from '../plugin.js';
import type { NodeInfo } from '../cache/node-info.js';

const AFFINITY = unresolvable("node(s) didn't match pod affinity rules");
const ANTI_AFFINITY = unschedulable("node(s) didn't match pod anti-affinity rules");
const EXISTING_ANTI_AFFINITY = unschedulable("node(s) didn't satisfy existing pods anti-affinity rules");
/** Weight of an existing pod's required affinity toward the incoming one: args' hardPodAffinityWeight. */
const HARD_POD_AFFINITY_WEIGHT = 1;

/** Whether the pod `candidate` matches a term of the pod `owner`. */
function matchesTerm(term: PodAffinityTerm, owner: Pod, candidate: Pod, read: Reader): boolean {
  if (!matchesLabelSelector(term.labelSelector, candidate.metadata.labels)) return false;
  const ns = candidate.metadata.namespace ?? '';
  for (const key of term.matchLabelKeys ?? [])
    if (owner.metadata.labels?.[key] !== candidate.metadata.labels?.[key]) return false;
  for (const key of term.mismatchLabelKeys ?? [])
    if (owner.metadata.labels?.[key] === candidate.metadata.labels?.[key]) return false;
  if (term.namespaces?.includes(ns)) return true;
  if (term.namespaceSelector)
    return matchesLabelSelector(
      term.namespaceSelector,
      read.get(Namespaces, { namespace: '', name: ns })?.metadata.labels,
    );
  return !term.namespaces?.length && ns === (owner.metadata.namespace ?? '');
}

const topologyValue = (info: NodeInfo, key: string): string | undefined => info.node?.metadata.labels?.[key];

/** The number of pods that match the term, by the value of its topology key. */
function countPodsByDomain(term: PodAffinityTerm, pod: Pod, { nodes, read }: Snapshot): Map<string, number> {
  const counts = new Map<string, number>();
  for (const info of nodes) {
    const value = topologyValue(info, term.topologyKey);
    if (value === undefined) continue;
    for (const other of info.pods.values())
      if (matchesTerm(term, pod, other, read)) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

/** The domains, as 'key\0value', that the required anti-affinity of an existing pod closes to this pod. */
function findDomainsClosedByExistingPods(pod: Pod, { nodes, read }: Snapshot): Set<string> {
  const closed = new Set<string>();
  for (const info of nodes) {
    for (const other of info.podsWithAffinity.values()) {
      for (const term of other.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []) {
        const value = topologyValue(info, term.topologyKey);
        if (value !== undefined && matchesTerm(term, other, pod, read)) closed.add(`${term.topologyKey}\0${value}`);
      }
    }
  }
  return closed;
}

/**
 * Filters nodes by the pod's required affinity and anti-affinity, and by the required anti-affinity of existing pods.
 * Models plugins/interpodaffinity/filtering.go.
 */
export const interPodAffinity: FilterPlugin = {
  name: 'InterPodAffinity',
  preFilter(pod, snapshot): Filter | undefined {
    const wanted = pod.spec.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    const unwanted = pod.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    const closed = findDomainsClosedByExistingPods(pod, snapshot);
    if (wanted.length === 0 && unwanted.length === 0 && closed.size === 0) return undefined;
    const near = wanted.map((term) => ({ term, counts: countPodsByDomain(term, pod, snapshot) }));
    const away = unwanted.map((term) => ({ term, counts: countPodsByDomain(term, pod, snapshot) }));
    // The first pod of a group that wants to be near itself may go anywhere.
    const first =
      near.every(({ counts }) => counts.size === 0) &&
      wanted.every((term) => matchesTerm(term, pod, pod, snapshot.read));
    return (info) => {
      for (const { term, counts } of near) {
        const value = topologyValue(info, term.topologyKey);
        if (value === undefined || (!first && !counts.get(value))) return AFFINITY;
      }
      for (const { term, counts } of away) {
        const value = topologyValue(info, term.topologyKey);
        if (value !== undefined && counts.get(value)) return ANTI_AFFINITY;
      }
      for (const entry of closed) {
        const [key, value] = entry.split('\0') as [string, string];
        if (topologyValue(info, key) === value) return EXISTING_ANTI_AFFINITY;
      }
      return undefined;
    };
  },
};

/** Prefers nodes by the preferred terms of the pod and of existing pods. Models plugins/interpodaffinity/scoring.go. */
export const interPodAffinityScore: ScorePlugin = {
  name: 'InterPodAffinity',
  weight: 2,
  preScore(pod, snapshot, feasible) {
    const affinity = pod.spec.affinity;
    const soft = [
      ...(affinity?.podAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map((w) => ({
        term: w.podAffinityTerm,
        weight: w.weight,
      })),
      ...(affinity?.podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map((w) => ({
        term: w.podAffinityTerm,
        weight: -w.weight,
      })),
    ];
    const totals = new Map<string, number>();
    const add = (info: NodeInfo, key: string, weight: number): void => {
      const value = topologyValue(info, key);
      if (value !== undefined) totals.set(`${key}\0${value}`, (totals.get(`${key}\0${value}`) ?? 0) + weight);
    };
    for (const info of snapshot.nodes) {
      if (soft.length)
        for (const other of info.pods.values())
          for (const { term, weight } of soft)
            if (matchesTerm(term, pod, other, snapshot.read)) add(info, term.topologyKey, weight);
      for (const other of info.podsWithAffinity.values()) {
        for (const { term, weight } of existingPodTerms(other))
          if (matchesTerm(term, other, pod, snapshot.read)) add(info, term.topologyKey, weight);
      }
    }
    if (totals.size === 0) return undefined;
    const keys = [...new Set([...totals.keys()].map((k) => k.split('\0')[0]!))];
    const raw = (info: NodeInfo): number =>
      keys.reduce((sum, key) => sum + (totals.get(`${key}\0${topologyValue(info, key)}`) ?? 0), 0);
    const all = feasible.map(raw);
    const [low, high] = [Math.min(...all), Math.max(...all)];
    return { score: (info) => (high === low ? 0 : Math.floor((MAX_SCORE * (raw(info) - low)) / (high - low))) };
  },
};

function existingPodTerms(other: Pod): { term: PodAffinityTerm; weight: number }[] {
  const a = other.spec.affinity;
  return [
    ...(a?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map((term) => ({
      term,
      weight: HARD_POD_AFFINITY_WEIGHT,
    })),
    ...(a?.podAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map((w) => ({
      term: w.podAffinityTerm,
      weight: w.weight,
    })),
    ...(a?.podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map((w) => ({
      term: w.podAffinityTerm,
      weight: -w.weight,
    })),
  ];
}
