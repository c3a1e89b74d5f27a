import { isObject } from '@terrarium/engine';
type Tree = Readonly<Record<string, unknown>>;

/** A JSON merge patch that sets what is wanted and removes what was applied before and is wanted no more. */
export function threeWayPatch(before: object, wanted: object): Tree {
  const [was, is] = [before as Tree, wanted as Tree];
  const patch: Record<string, unknown> = {};
  for (const key of Object.keys(was)) if (!(key in is)) patch[key] = null;
  for (const [key, value] of Object.entries(is))
    patch[key] = isObject(value) ? threeWayPatch(isObject(was[key]) ? was[key] : {}, value) : value;
  return patch;
}
