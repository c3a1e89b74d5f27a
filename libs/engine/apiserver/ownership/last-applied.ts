import {
  compare,
  difference,
  fieldsOf,
  type FieldSet,
  type FieldsType,
  type OwnershipConflict,
} from '../../machinery/managedfields/index.js';
import { isObject, type KubeObject } from '../../machinery/meta/object.js';

type Configuration = Readonly<Record<string, unknown>>;

/** The annotation in which client-side apply keeps its last configuration. */
export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * The conflicts without those over fields that are still as client-side apply has left them: kubectl takes these over.
 * Models managedfields/internal/lastappliedmanager.go.
 */
export function ignoreLastApplied(
  conflicts: readonly OwnershipConflict[],
  live: KubeObject,
  type: FieldsType,
  apiVersion: string,
): readonly OwnershipConflict[] {
  const text = live.metadata.annotations?.[LAST_APPLIED];
  const last = text ? parseConfiguration(text) : undefined;
  if (!last || last['apiVersion'] !== apiVersion) return conflicts;
  const { added, modified, removed } = compare(last, live, type);
  const unchanged = [modified, added, removed].reduce(difference, fieldsOf(last, type));
  return conflicts.filter(({ path }) => !hasPath(unchanged, path));
}

function hasPath(set: FieldSet, path: readonly string[]): boolean {
  let node: FieldSet | undefined = set;
  for (const element of path) node = node?.[element];
  return node !== undefined && ('.' in node || Object.keys(node).length === 0);
}

function parseConfiguration(text: string): Configuration | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The annotation's value after an apply: the configuration without the annotation as JSON, with its keys sorted. */
export function lastAppliedText(configuration: Configuration): string {
  const metadata = isObject(configuration['metadata']) ? configuration['metadata'] : {};
  const annotations = isObject(metadata['annotations']) ? metadata['annotations'] : undefined;
  const { [LAST_APPLIED]: _last, ...rest } = annotations ?? {};
  const kept = annotations ? { ...configuration, metadata: { ...metadata, annotations: rest } } : configuration;
  return `${JSON.stringify(sortKeys(kept))}\n`;
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sortKeys(value[name])]));
}
