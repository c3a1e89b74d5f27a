import type { Kind } from '../../../machinery/kind.js';
import type { Unstructured } from '../../../machinery/meta/object.js';
import { definition } from '../../../schema/index.js';
import type { CreateWrite, UpdateWrite } from '../write.js';

const structs = new WeakMap<Kind, readonly string[]>();

/** Adds an empty spec and status to kinds that have them: Go's structs are never absent. */
export function completeStructs({ kind, draft }: CreateWrite | UpdateWrite): void {
  for (const field of structsOf(kind)) (draft as Unstructured)[field] ??= {};
}

function structsOf(kind: Kind): readonly string[] {
  let fields = structs.get(kind);
  if (!fields) {
    const known = definition(kind.definition)?.fields ?? {};
    structs.set(kind, (fields = ['spec', 'status'].filter((f) => known[f])));
  }
  return fields;
}

export function applyDefaults({ kind, draft }: CreateWrite | UpdateWrite): void {
  kind.defaults?.(draft);
}

/**
 * Decoding a request fills in the status too. Without, the defaults of a later write would find a gap in a status that
 * the stored object shares.
 */
export function applyDefaultsOfRequest({ kind, draft, options }: UpdateWrite): void {
  if (options.origin.type === 'request') kind.defaults?.(draft);
}
