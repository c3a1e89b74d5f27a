import type { LabelSelector } from '../api/meta_v1.js';
import type { KubeObject } from '../machinery/meta/object.js';
import { matchesLabelSelector } from '../machinery/selectors/label-selector.js';

/** Which pods are meant: all of these conditions together; an absent one is met by every pod. */
export interface PodFilter {
  readonly namespaces?: readonly string[];
  readonly podSelector?: LabelSelector;
  /** 'NAMESPACE/NAME', or a name of any namespace. */
  readonly pods?: readonly string[];
  /** Names of the nodes that they are on. */
  readonly nodes?: readonly string[];
}

/** Pods or nodes that one fault chooses at most. */
export const MAX_CHOSEN = 1_000;

/** The pods that a fault acts on: a filter that pods of later on meet too, or the ones that were chosen. */
export type PodScope = { readonly where: PodFilter } | { readonly chosen: readonly string[] };

/** What a scope reads of a pod. */
export type ScopedPod = KubeObject & { readonly spec?: { readonly nodeName?: string } };

export const podName = ({ metadata }: Pick<KubeObject, 'metadata'>): string =>
  `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;

export function isInScope(scope: PodScope, pod: ScopedPod): boolean {
  return 'chosen' in scope ? scope.chosen.includes(podName(pod)) : meetsFilter(scope.where, pod);
}

export function meetsFilter({ namespaces, podSelector, pods, nodes }: PodFilter, pod: ScopedPod): boolean {
  const { namespace = '', name = '', labels } = pod.metadata;
  if (namespaces && !namespaces.includes(namespace)) return false;
  if (pods && !pods.includes(name) && !pods.includes(podName(pod))) return false;
  if (nodes && !nodes.includes(pod.spec?.nodeName ?? '')) return false;
  return podSelector === undefined || matchesLabelSelector(podSelector, labels);
}
