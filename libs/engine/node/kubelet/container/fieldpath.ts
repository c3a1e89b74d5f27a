import type { Container } from '../../../api/core_v1.js';
import type { ValueSource } from './value-source.js';

const KEYED = /^metadata\.(labels|annotations)\['(.*)'\]$/;

/**
 * The value of a pod's field, as text. Models pkg/fieldpath ExtractFieldPathAsString and podFieldSelectorRuntimeValue.
 */
export function extractFieldPath(path: string, { pod, node }: ValueSource): string {
  const { metadata, spec, status } = pod;
  const keyed = KEYED.exec(path);
  if (keyed) return metadata[keyed[1] as 'labels' | 'annotations']?.[keyed[2]!] ?? '';
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
    case 'status.hostIP':
    case 'status.hostIPs':
      return status.hostIP ?? node?.status.addresses?.[0]?.address ?? '';
    case 'status.podIP':
    case 'status.podIPs':
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
 * The value of a resourceFieldRef ('limits.memory'): a limit that is not set is what the node can give.
 * Models pkg/api/v1/resource ExtractContainerResourceValue. Left out: divisors.
 */
export function extractResource(resource: string, { resources }: Container, { node }: ValueSource): string {
  const [list, name] = resource.split('.') as [string, string];
  const own = list === 'limits' ? resources?.limits : resources?.requests;
  const allocatable = list === 'limits' ? node?.status.allocatable : undefined;
  return own?.[name] ?? allocatable?.[name] ?? '0';
}
