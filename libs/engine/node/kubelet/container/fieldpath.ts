import type { Container, ResourceFieldSelector } from '../../../api/core_v1.js';
import { internalIPsOf } from '../nodestatus/internal-ip.js';
import { splitMaybeSubscriptedPath } from '../../../kinds/core/pod/field-path.js';
import { own } from '../../../machinery/meta/object.js';
import { milliValue, quantityValue } from '../../../machinery/quantity/quantity.js';
import type { ValueSource } from './value-source.js';

/** Limits that the node's allocatable amounts stand in for. */
const MERGED_LIMITS: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);
const MAPS = { 'metadata.annotations': 'annotations', 'metadata.labels': 'labels' } as const;

/**
 * The value of a pod's field, as text. Models pkg/fieldpath ExtractFieldPathAsString and podFieldSelectorRuntimeValue.
 */
export function extractFieldPath(path: string, { pod, node }: ValueSource): string {
  const { metadata, spec, status } = pod;
  const subscripted = splitMaybeSubscriptedPath(path);
  if (subscripted) {
    const map = metadata[MAPS[subscripted.path as keyof typeof MAPS]];
    return own(map ?? {}, subscripted.subscript) ?? '';
  }
  switch (path) {
    case 'metadata.name':
      return metadata.name ?? '';
    case 'metadata.namespace':
      return metadata.namespace ?? '';
    case 'metadata.uid':
      return metadata.uid ?? '';
    case 'metadata.labels':
      return formatMap(metadata.labels);
    case 'metadata.annotations':
      return formatMap(metadata.annotations);
    case 'spec.nodeName':
      return spec.nodeName ?? '';
    case 'spec.serviceAccountName':
      return spec.serviceAccountName ?? '';
    case 'status.hostIPs':
      if (status.hostIPs) return status.hostIPs.map(({ ip }) => ip).join(',');
      if (node) return internalIPsOf(node).join(',');
      return status.hostIP ?? '';
    case 'status.hostIP':
      return status.hostIP ?? node?.status.addresses?.[0]?.address ?? '';
    case 'status.podIPs':
      return status.podIPs?.map(({ ip }) => ip).join(',') ?? status.podIP ?? '';
    case 'status.podIP':
      return status.podIP ?? '';
    default:
      return '';
  }
}

/** All entries, one a line, ordered by key: `app="web"`. Models pkg/fieldpath FormatMap. */
const formatMap = (map: Readonly<Record<string, string>> = {}): string =>
  Object.keys(map)
    .sort()
    .map((key) => `${key}=${JSON.stringify(map[key])}`)
    .join('\n');

/**
 * The value of a resourceFieldRef ('limits.memory') in units of its divisor, rounded up: CPUs, or bytes. A limit that
 * is not set is what the node can give. Models pkg/api/v1/resource ExtractContainerResourceValue.
 */
export function extractResource(
  { resource, divisor }: ResourceFieldSelector,
  { resources }: Container,
  { node }: ValueSource,
): string {
  const [list, name] = resource.split('.') as [string, string];
  const amounts = list === 'limits' ? resources?.limits : resources?.requests;
  const allocatable = list === 'limits' && MERGED_LIMITS.has(name) ? node?.status.allocatable : undefined;
  const quantity = amounts?.[name] ?? allocatable?.[name] ?? '0';
  const valueOf = name === 'cpu' ? milliValue : quantityValue;
  const unit = divisor === undefined || quantityValue(divisor) === 0 ? '1' : divisor;
  return String(Math.ceil(valueOf(quantity) / valueOf(unit)));
}
