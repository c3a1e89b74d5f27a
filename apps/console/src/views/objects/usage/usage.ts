import { at, listAt, textAt, type KubeObject } from '../../../kube/object.js';
import { parseQuantity } from '../../../kube/quantity.js';
import { METRICS_GROUP, type Resource } from '../../../kube/resource.js';
import { selectorText } from '../details/related.js';

export interface Usage {
  /** Cores. */
  readonly cpu: number;
  /** Bytes. */
  readonly memory: number;
}

/** 0 for what is none. */
export const readQuantity = (text: string): number => parseQuantity(text) ?? 0;

const WORKLOADS: ReadonlySet<string> = new Set([
  ...['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'ReplicationController', 'Job'],
]);

/** Something is measured of it, where somebody measures. */
export const isMeasured = ({ kind, apiVersion }: KubeObject): boolean =>
  WORKLOADS.has(kind) || (apiVersion === 'v1' && (kind === 'Pod' || kind === 'Node'));

/**
 * Where the Metrics API tells what an object uses: its own measurement, or those of the pods that it selects. Undefined
 * where the cluster has no Metrics API, as `kubectl top` finds by the same discovery.
 */
export function metricsPath({ kind, metadata, spec }: KubeObject, resources: readonly Resource[]): string | undefined {
  const plural = kind === 'Node' ? 'nodes' : 'pods';
  const served = resources.find(({ group, resource }) => group === METRICS_GROUP && resource === plural);
  if (!served) return undefined;
  const name = encodeURIComponent(metadata.name);
  if (kind === 'Node') return `/apis/${served.apiVersion}/nodes/${name}`;
  const pods = `/apis/${served.apiVersion}/namespaces/${encodeURIComponent(metadata.namespace ?? '')}/pods`;
  if (kind === 'Pod') return `${pods}/${name}`;
  const selector = selectorText(at(spec, 'selector'));
  return selector && `${pods}?labelSelector=${encodeURIComponent(selector)}`;
}

/** What a PodMetrics, a NodeMetrics or a list of them says: of pods the sum of their containers. */
export function usageOf(metrics: unknown): Usage {
  const each = at(metrics, 'items') ? listAt(metrics, 'items') : [metrics];
  const parts = each.flatMap((one) => (at(one, 'usage') ? [one] : listAt(one, 'containers')));
  const sum = (resource: string): number =>
    parts.reduce((total: number, part) => total + readQuantity(textAt(part, 'usage', resource)), 0);
  return { cpu: sum('cpu'), memory: sum('memory') };
}

export const cpuText = (cores: number): string => (cores < 1 ? `${Math.round(cores * 1_000)}m` : cores.toFixed(2));
export const memoryText = (bytes: number): string =>
  bytes >= 2 ** 30 ? `${(bytes / 2 ** 30).toFixed(2)}Gi` : `${Math.round(bytes / 2 ** 20)}Mi`;

/** Points of a polyline within a box; the lowest value shown is 0. */
export function linePoints(values: readonly number[], width: number, height: number, places: number): string {
  const highest = Math.max(...values, Number.MIN_VALUE);
  const step = width / Math.max(1, places - 1);
  const begin = places - values.length;
  return values
    .map(
      (value, i) => `${((begin + i) * step).toFixed(1)},${(height - (value / highest) * (height - 4) - 2).toFixed(1)}`,
    )
    .join(' ');
}
