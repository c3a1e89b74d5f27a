import type { Node, NodeSelectorRequirement, Pod, PodAffinityTerm, Taint } from '../api/core_v1.js';
import { claimNamesOf } from '../kinds/core/pod/claims.js';
import { hostPorts, isHostPortInUse } from '../kinds/core/pod/host-ports.js';
import type { NodeInfo } from './cache/node-info.js';
import { podRequests } from './cache/resources.js';
import { formatTaint, isTaintTolerated } from '../machinery/scheduling/tolerations.js';

const MEBI = 1024 * 1024;
const MILLI = 1_000;
/** Names of others that are told. */
const MAX_NAMES = 5;

type Describe = (pod: Pod, info: NodeInfo) => string;

/** What of a pod and of a node do not go together, where the scheduler's own words do not say it; by plug-in. */
const DETAILS: Readonly<Record<string, Describe>> = {
  NodeUnschedulable: () => 'it is cordoned',
  TaintToleration: (pod, { node }) =>
    untolerated(pod, node?.spec.taints ?? [])
      .map(formatTaint)
      .join(', '),
  NodeAffinity: (pod, { node }) => (node ? affinityText(pod, node) : ''),
  NodePorts: (pod, info) => portText(pod, info),
  NodeResourcesFit: (pod, info) => resourceText(pod, info),
  VolumeRestrictions: (pod, info) => claimText(pod, info),
  InterPodAffinity: (pod, info) => interPodText(pod, info),
  PodTopologySpread: (pod, { node }) => spreadText(pod, node),
};

/** ' (dedicated=gpu:NoSchedule)'; empty where there is nothing to add. */
export function detailOf(plugin: string, pod: Pod, info: NodeInfo): string {
  const text = Object.hasOwn(DETAILS, plugin) ? DETAILS[plugin]!(pod, info) : '';
  return text === '' ? '' : ` (${text})`;
}

const untolerated = ({ spec }: Pod, taints: readonly Taint[]): Taint[] =>
  taints.filter((taint) => taint.effect !== 'PreferNoSchedule' && !isTaintTolerated(taint, spec.tolerations));

function affinityText({ spec }: Pod, { metadata }: Node): string {
  const labels = metadata.labels ?? {};
  const has = (key: string): string =>
    labels[key] === undefined ? `it has no label ${key}` : `it has ${key}=${labels[key]}`;
  const selected = Object.entries(spec.nodeSelector ?? {})
    .filter(([key, value]) => labels[key] !== value)
    .map(([key, value]) => `nodeSelector wants ${key}=${value}, and ${has(key)}`);
  if (selected.length > 0) return selected.join('; ');
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const wanted = terms.map(({ matchExpressions = [], matchFields = [] }) =>
    [...matchExpressions, ...matchFields].map(requirementText).join(' and '),
  );
  const keys = [...new Set(terms.flatMap(({ matchExpressions = [] }) => matchExpressions.map(({ key }) => key)))];
  return [`its affinity wants ${wanted.join(' or ')}`, ...keys.map(has)].join(', ');
}

const requirementText = ({ key, operator, values }: NodeSelectorRequirement): string =>
  `${key} ${operator}${values?.length ? ` [${values.join(', ')}]` : ''}`;

function portText(pod: Pod, info: NodeInfo): string {
  const taken = hostPorts(pod).filter((port) => isHostPortInUse(port, info.ports));
  const numberOf = (port: string): string => port.split('/')[2]!;
  return taken
    .map((port) => {
      const holders = [...info.pods.values()].filter((other) =>
        hostPorts(other).some((one) => numberOf(one) === numberOf(port)),
      );
      return `port ${numberOf(port)} is taken by ${names(holders)}`;
    })
    .join(', ');
}

function resourceText(pod: Pod, { allocatable, requested, pods }: NodeInfo): string {
  const wants = podRequests(pod);
  const parts: string[] = [];
  if (pods.size + 1 > allocatable.pods) parts.push(`it runs ${pods.size} pods of at most ${allocatable.pods}`);
  const add = (name: string, want: number, used: number, total: number, text: (n: number) => string): void => {
    if (want > 0 && want > total - used)
      parts.push(
        `${name}: it asks for ${text(want)}, and ${text(Math.max(0, total - used))} of ${text(total)} are free`,
      );
  };
  add('cpu', wants.cpu, requested.cpu, allocatable.cpu, (n) => String(n / MILLI));
  add('memory', wants.memory, requested.memory, allocatable.memory, mebibytes);
  add('ephemeral-storage', wants.ephemeral, requested.ephemeral, allocatable.ephemeral, mebibytes);
  for (const [name, want] of wants.other ?? [])
    add(name, want, requested.other?.get(name) ?? 0, allocatable.other?.get(name) ?? 0, String);
  return parts.join(', ');
}

const mebibytes = (bytes: number): string => `${Math.round(bytes / MEBI)}Mi`;

function interPodText({ spec }: Pod, { podsWithAffinity }: NodeInfo): string {
  const { podAffinity, podAntiAffinity } = spec.affinity ?? {};
  const near = podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const apart = podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const own = [
    ...near.map((term) => `it must be with ${termText(term)}`),
    ...apart.map((term) => `it must not be with ${termText(term)}`),
  ];
  if (own.length > 0) return own.join('; ');
  const others = [...podsWithAffinity.values()];
  return others.length > 0 ? `the anti-affinity of others, such as ${names(others)}` : '';
}

const termText = ({ labelSelector, topologyKey }: PodAffinityTerm): string => {
  const { matchLabels = {}, matchExpressions = [] } = labelSelector ?? {};
  const labels = Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`);
  const texts = [...labels, ...matchExpressions.map((one) => requirementText(one))];
  return `pods of ${texts.join(',') || 'any labels'} in one ${topologyKey}`;
};

function claimText(pod: Pod, info: NodeInfo): string {
  const own = new Set(claimNamesOf(pod));
  const users = [...info.pods.values()].filter(
    (other) => other.metadata.namespace === pod.metadata.namespace && claimNamesOf(other).some((name) => own.has(name)),
  );
  return users.length > 0 ? `${names(users)} has it here` : 'a pod of another node has it';
}

function spreadText({ spec }: Pod, node: Node | undefined): string {
  const hard = (spec.topologySpreadConstraints ?? []).filter(
    ({ whenUnsatisfiable }) => whenUnsatisfiable !== 'ScheduleAnyway',
  );
  return hard
    .map(({ topologyKey, maxSkew }) => {
      const value = node?.metadata.labels?.[topologyKey];
      return value === undefined ? `it has no label ${topologyKey}` : `maxSkew ${maxSkew}, ${topologyKey}=${value}`;
    })
    .join('; ');
}

const names = (pods: readonly Pod[]): string =>
  pods
    .slice(0, MAX_NAMES)
    .map(({ metadata }) => `pod/${metadata.namespace}/${metadata.name}`)
    .join(', ');
