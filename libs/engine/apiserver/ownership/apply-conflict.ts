import {
  compare,
  difference,
  fieldsOf,
  isFields,
  pathText,
  type FieldSet,
  type FieldsType,
  type Owner,
  type OwnershipConflict,
} from '../../machinery/managedfields/index.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { ApiError } from '../../machinery/meta/status.js';

export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
const MAX_CAUSES = 1_000;

/** 409 in upstream's words. Models managedfields/internal/conflict.go. */
export function applyConflict(conflicts: readonly OwnershipConflict[]): ApiError {
  const causes = conflicts.slice(0, MAX_CAUSES).map(({ owner, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${ownerText(owner)}`,
    field: pathText(path),
  }));
  return new ApiError(409, 'Conflict', messageOf(conflicts), { causes });
}

function messageOf(conflicts: readonly OwnershipConflict[]): string {
  const [first] = conflicts;
  if (conflicts.length === 1 && first)
    return `Apply failed with 1 conflict: conflict with ${ownerText(first.owner)}: ${pathText(first.path)}`;
  const byOwner = new Map<string, string[]>();
  for (const { owner, path } of conflicts) {
    const text = ownerText(owner);
    const lines = byOwner.get(text);
    if (lines) lines.push(`- ${pathText(path)}`);
    else byOwner.set(text, [`- ${pathText(path)}`]);
  }
  const lines = [...byOwner].flatMap(([text, paths]) => [`conflicts with ${text}:`, ...paths]);
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

/** '"kubectl" with subresource "scale" using apps/v1' */
function ownerText({ manager, subresource, operation, apiVersion }: Owner): string {
  const name = `${JSON.stringify(manager)}${subresource ? ` with subresource ${JSON.stringify(subresource)}` : ''}`;
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}

/**
 * The conflicts over fields that are not still as client-side apply left them: those it may hand over. Models
 * lastappliedmanager.go.
 */
export function withoutLastApplied(
  conflicts: readonly OwnershipConflict[],
  live: KubeObject,
  type: FieldsType,
  apiVersion: string,
): readonly OwnershipConflict[] {
  const text = live.metadata.annotations?.[LAST_APPLIED];
  const last = text ? parsed(text) : undefined;
  if (!last || last['apiVersion'] !== apiVersion) return conflicts;
  const { added, modified, removed } = compare(last, live, type);
  const ours = [modified, added, removed].reduce(difference, fieldsOf(last, type));
  return conflicts.filter(({ path }) => !has(ours, path));
}

function has(set: FieldSet, path: readonly string[]): boolean {
  let node: FieldSet | undefined = set;
  for (const element of path) node = node?.[element];
  return node !== undefined && ('.' in node || Object.keys(node).length === 0);
}

function parsed(text: string): { readonly [name: string]: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The annotation that client-side apply would have left: the configuration as JSON, keys sorted. */
export function lastAppliedOf(config: { readonly [name: string]: unknown }): string {
  const metadata = isFields(config['metadata']) ? config['metadata'] : {};
  const annotations = isFields(metadata['annotations']) ? metadata['annotations'] : undefined;
  const { [LAST_APPLIED]: _last, ...rest } = annotations ?? {};
  const kept = annotations ? { ...config, metadata: { ...metadata, annotations: rest } } : config;
  return `${JSON.stringify(sorted(kept))}\n`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name])]),
  );
}
