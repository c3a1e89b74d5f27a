import type { KubeObject } from '../../../machinery/meta/object.js';
import type { CreateWrite, UpdateWrite } from '../write.js';

export function warnOnCreate(write: CreateWrite): void {
  warn(write, undefined);
}

export function warnOnUpdate(write: UpdateWrite): void {
  warn(write, write.old);
}

/** Hands a request the warnings that its kind has for it. */
function warn({ kind, draft, options: { origin } }: CreateWrite | UpdateWrite, old: KubeObject | undefined): void {
  if (origin.type === 'request') for (const text of kind.warnings?.(draft, old) ?? []) origin.warn(text);
}
