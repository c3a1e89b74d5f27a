import { pathText, type Owner, type OwnershipConflict } from '../../machinery/managedfields/index.js';
import { ApiError } from '../../machinery/meta/status.js';

const MAX_CAUSES = 1_000;

/** 409 for fields that other managers own, in upstream's words. Models managedfields/internal/conflict.go. */
export function applyConflict(conflicts: readonly OwnershipConflict[]): ApiError {
  const causes = conflicts.slice(0, MAX_CAUSES).map(({ owner, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${ownerText(owner)}`,
    field: pathText(path),
  }));
  return new ApiError(409, 'Conflict', conflictMessage(conflicts), { causes });
}

function conflictMessage(conflicts: readonly OwnershipConflict[]): string {
  const [first] = conflicts;
  if (conflicts.length === 1 && first)
    return `Apply failed with 1 conflict: conflict with ${ownerText(first.owner)}: ${pathText(first.path)}`;
  const linesOf = new Map<string, string[]>();
  for (const { owner, path } of conflicts) {
    const text = ownerText(owner);
    const line = `- ${pathText(path)}`;
    const lines = linesOf.get(text);
    if (lines) lines.push(line);
    else linesOf.set(text, [line]);
  }
  const lines = [...linesOf].flatMap(([text, paths]) => [`conflicts with ${text}:`, ...paths]);
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

/** '"kubectl" with subresource "scale" using apps/v1' */
function ownerText({ manager, subresource, operation, apiVersion }: Owner): string {
  const name = `${JSON.stringify(manager)}${subresource ? ` with subresource ${JSON.stringify(subresource)}` : ''}`;
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}
