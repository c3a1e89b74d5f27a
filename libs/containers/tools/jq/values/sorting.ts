import { compare, type Json } from './values.js';

interface Keyed {
  readonly item: Json;
  readonly key: Json;
}

const sorted = (items: readonly Keyed[]): Keyed[] => [...items].sort((a, b) => compare(a.key, b.key));

function grouped(items: readonly Keyed[]): Keyed[][] {
  const groups: Keyed[][] = [];
  for (const one of sorted(items)) {
    const last = groups.at(-1);
    if (last !== undefined && compare(last[0]!.key, one.key) === 0) last.push(one);
    else groups.push([one]);
  }
  return groups;
}

/** `sort_by` and its kin, by what they are called for. */
export const ORDERED: Readonly<Record<string, (items: readonly Keyed[]) => Json>> = {
  sort: (items) => sorted(items).map(({ item }) => item),
  group: (items) => grouped(items).map((group) => group.map(({ item }) => item)),
  unique: (items) => grouped(items).map((group) => group[0]!.item),
  min: (items) =>
    items.reduce<Keyed | undefined>((best, one) => (best && compare(best.key, one.key) <= 0 ? best : one), undefined)
      ?.item ?? null,
  max: (items) =>
    items.reduce<Keyed | undefined>((best, one) => (best && compare(best.key, one.key) > 0 ? best : one), undefined)
      ?.item ?? null,
};
