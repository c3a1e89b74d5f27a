import { isObject } from '@terrarium/engine';
type Tree = Readonly<Record<string, unknown>>;

/**
 * A JSON merge patch that sets the fields of `applied`, and removes those of `lastApplied` that it lacks: what `kubectl
 * apply` computes on the client's side.
 */
export function threeWayPatch(lastApplied: object, applied: object): Tree {
  const [was, is] = [lastApplied as Tree, applied as Tree];
  const patch: Record<string, unknown> = {};
  for (const key of Object.keys(was)) if (!(key in is)) patch[key] = null;
  for (const [key, value] of Object.entries(is))
    patch[key] = isObject(value) ? threeWayPatch(isObject(was[key]) ? was[key] : {}, value) : value;
  return patch;
}
