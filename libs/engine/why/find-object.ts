import type { Kind } from '../machinery/kind.js';
import { storageKey } from '../machinery/kind.js';
import type { KubeObject } from '../machinery/meta/object.js';
import type { World } from './world.js';

/** Names that are offered in place of one that is not there. */
const MAX_NEAR = 5;
const MAX_COMPARED = 5_000;
/** So many letters may differ, and half of the shorter name at most. */
const MAX_DISTANCE = 3;

/** The kind that kubectl would take a text for: 'pods', 'po', 'Pod', 'deployments.apps', 'deployments.v1.apps'. */
export function findKind(world: Pick<World, 'kinds'>, text: string): Kind | undefined {
  const [head = '', ...group] = text.toLowerCase().split('.');
  return world.kinds().find((kind) => {
    if (kind.storedAs || kind.internal) return false;
    const isNamed =
      kind.plural === head ||
      kind.singular === head ||
      kind.kind.toLowerCase() === head ||
      kind.shortNames?.includes(head) === true;
    if (!isNamed) return false;
    if (group.length === 0) return true;
    const rest = group.join('.');
    return rest === kind.group || rest === `${kind.version}.${kind.group}` || rest === kind.version;
  });
}

export const resourceOf = (kind: Kind): string => storageKey(kind);

/** Objects that somebody may have meant: of like names in the namespace, and of this name in others. */
export function nearObjects(world: Pick<World, 'read'>, kind: Kind, namespace: string, name: string): KubeObject[] {
  const all = world.read.list(kind).slice(0, MAX_COMPARED);
  const score = ({ metadata }: KubeObject): number => {
    const isHere = (metadata.namespace ?? '') === namespace;
    const own = metadata.name ?? '';
    if (own === name) return 0;
    if (!isHere) return Infinity;
    if (own.startsWith(name) || name.startsWith(own)) return 1;
    const distance = editDistance(own, name, MAX_DISTANCE);
    return distance <= Math.min(MAX_DISTANCE, Math.floor(Math.min(own.length, name.length) / 2)) ? distance : Infinity;
  };
  return all
    .map((object) => ({ object, near: score(object) }))
    .filter(({ near }) => near < Infinity)
    .sort((a, b) => a.near - b.near)
    .slice(0, MAX_NEAR)
    .map(({ object }) => object);
}

/** How many letters differ, are missing or have changed places; `limit` + 1 when it is more than `limit`. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  let before = row;
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? before[j - 2]! + 1 : Infinity;
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (isSame ? 0 : 1), swapped));
    }
    [before, row] = [row, next];
  }
  return Math.min(row[b.length]!, limit + 1);
}
