import { chainsOf } from '../scene/storage-scene.js';
import { ownershipGroups, placementGroups, trafficGroups, type Group, type Mode } from '../model/groups.js';
import type { Thing, World } from '../model/world.js';

/** One line of the list that says the same as the picture. */
export interface TwinRow {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly thing?: Thing;
  readonly level: number;
  /** Undefined: it has nothing in it. */
  readonly isOpen?: boolean;
  readonly count: number;
  readonly position: number;
  readonly siblings: number;
  readonly parent?: string;
}

export function twinGroups(world: World, mode: Mode): readonly Group[] {
  if (mode === 'placement') {
    const { waiting, nodes } = placementGroups(world);
    return waiting.pods.length > 0 ? [waiting, ...nodes] : nodes;
  }
  if (mode === 'traffic') return trafficGroups(world);
  if (mode === 'ownership') return ownershipGroups(world);
  return chainsOf(world).map(({ claim, volume, pods, attachments }) => {
    const head = claim ?? volume!;
    const inner = [...(claim && volume ? [volume] : []), ...attachments];
    const leaf = (thing: Thing): Group => ({
      id: thing.uid,
      thing,
      kind: thing.kind,
      title: thing.name,
      children: [],
      pods: [],
    });
    return { ...leaf(head), children: inner.map(leaf), pods };
  });
}

/** The lines that are to be seen: of what is open. */
export function flattenTwin(groups: readonly Group[], open: ReadonlySet<string>): TwinRow[] {
  const rows: TwinRow[] = [];
  const add = (list: readonly Group[], pods: readonly Thing[], level: number, parent: string | undefined): void => {
    const siblings = list.length + pods.length;
    const of = parent === undefined ? {} : { parent };
    list.forEach((one, i) => {
      const { id, kind, title, thing, children } = one;
      const isEmpty = children.length + one.pods.length === 0;
      const isOpen = open.has(id);
      const base = { id, kind, title, level, position: i + 1, siblings, count: countOf(one), ...of };
      rows.push({ ...base, ...(thing ? { thing } : {}), ...(isEmpty ? {} : { isOpen }) });
      if (isOpen && !isEmpty) add(children, one.pods, level + 1, id);
    });
    pods.forEach((thing, i) => {
      const { uid, kind, name } = thing;
      const place = { position: list.length + i + 1, siblings };
      rows.push({ id: uid, kind, title: name, thing, level, count: 0, ...place, ...of });
    });
  };
  add(groups, [], 1, undefined);
  return rows;
}

const countOf = ({ pods, children }: Group): number => children.reduce((sum, one) => sum + countOf(one), pods.length);

export type TwinMove =
  | { readonly type: 'go'; readonly id: string }
  | { readonly type: 'open' | 'close'; readonly id: string }
  | undefined;

const PAGE = 20;

/** What a key does in a tree, by the patterns of WAI-ARIA. */
export function moveInTwin(rows: readonly TwinRow[], current: string | undefined, key: string): TwinMove {
  if (rows.length === 0) return undefined;
  const i = Math.max(
    0,
    rows.findIndex(({ id }) => id === current),
  );
  const row = rows[i]!;
  const go = (to: number): TwinMove => ({ type: 'go', id: rows[Math.max(0, Math.min(rows.length - 1, to))]!.id });
  switch (key) {
    case 'ArrowDown':
      return go(current === undefined ? 0 : i + 1);
    case 'ArrowUp':
      return go(i - 1);
    case 'PageDown':
      return go(i + PAGE);
    case 'PageUp':
      return go(i - PAGE);
    case 'Home':
      return go(0);
    case 'End':
      return go(rows.length - 1);
    case 'ArrowRight':
      if (row.isOpen === undefined) return undefined;
      return row.isOpen ? go(i + 1) : { type: 'open', id: row.id };
    case 'ArrowLeft':
      if (row.isOpen) return { type: 'close', id: row.id };
      return row.parent === undefined ? undefined : { type: 'go', id: row.parent };
    default:
      return undefined;
  }
}
