import type { Anchor } from '@terrarium/engine';
import type { ClusterRow } from '@terrarium/store';

/** What the settings of a cluster's row tell of where its log came from. */
export interface ForkSettings {
  /** The clusters whose rows it may read, the nearest first. */
  readonly ancestors?: readonly string[];
  /** Since when its time runs, when it does not run as real time does. */
  readonly anchor?: Anchor | undefined;
  readonly forkedFrom?: { readonly clusterId: string; readonly revision: number };
  /** Of a fork: the revision of the template that its first ancestor began on. */
  readonly templateRevision?: number;
  /** When it was last put back to a state, and to which virtual ms. */
  readonly begun?: { readonly revision: number; readonly virtual: number };
}

export const forkSettingsOf = ({ settings }: Pick<ClusterRow, 'settings'>): ForkSettings => settings;

/** What the forks of a cluster inherit. A cluster with a checkpoint of its own shows nothing of its ancestors. */
export function lineageOf(row: ClusterRow): { ancestors: readonly string[]; anchor: Anchor | undefined } {
  const { ancestors = [], anchor } = forkSettingsOf(row);
  return { ancestors: row.readsParent === true ? [row.id, ...ancestors] : [row.id], anchor };
}
