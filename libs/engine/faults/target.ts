import type { LabelSelector } from '../api/meta_v1.js';

/** Of the objects that are selected: all, one, a number of them, or so many percent (at least one). */
export const MODES = ['all', 'one', 'fixed', 'percent'] as const;
export type Mode = (typeof MODES)[number];

/** Nodes, or pods. Conditions hold together. */
export interface Selection {
  readonly nodes?: readonly string[];
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly namespaces?: readonly string[];
  readonly podSelector?: LabelSelector;
  readonly pods?: readonly string[];
}

/** Lists of names that some types look at. */
export const NAME_LISTS = [
  'containers',
  'registries',
  'images',
  'controllers',
  'resources',
  'verbs',
  'users',
  'webhooks',
  'claims',
  'storageClasses',
  'services',
  'names',
] as const;
export type NameList = (typeof NAME_LISTS)[number];

/** What a fault acts on. */
export interface Target extends Selection, Readonly<Partial<Record<NameList, readonly string[]>>> {
  readonly mode?: Mode;
  /** How many, or how many percent. */
  readonly value?: number;
  /** The other end, of faults of the network. */
  readonly to?: Selection;
}
