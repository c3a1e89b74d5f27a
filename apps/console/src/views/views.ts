import type { ComponentType } from 'react';
import type { Cluster } from '../api/clusters.generated.js';
import { labOf } from '../api/labs.js';
import type { IconName } from '../parts/Icon.js';
import type { Texts } from '../texts/texts.js';

/** What every view gets: the parts of the path after its own name. */
export interface ViewProps {
  readonly rest: readonly string[];
}

export interface View {
  /** Stands in the path. */
  readonly id: keyof Texts['views'];
  readonly icon: IconName;
  /** `top`: beside the list of clusters; `cluster`: of one cluster, which useCluster() names. */
  readonly place: 'top' | 'cluster';
  /** For whom; by default the holder of a tenant's key. */
  readonly who?: 'operator';
  /** Of which clusters; by default of all. */
  isOf?(cluster: Cluster): boolean;
  load(): Promise<{ readonly default: ComponentType<ViewProps> }>;
}

const isLearners = (cluster: Cluster): boolean => labOf(cluster) !== undefined;

/** Every view, in the order of the navigation. To add one: a folder here, a line, and its title in texts/en.ts. */
export const VIEWS: readonly View[] = [
  { id: 'clusters', icon: 'clusters', place: 'top', load: () => import('./clusters/index.js') },
  { id: 'labs', icon: 'labs', place: 'top', load: () => import('./labs/index.js') },
  { id: 'operator', icon: 'operator', place: 'top', who: 'operator', load: () => import('./operator/index.js') },
  { id: 'overview', icon: 'overview', place: 'cluster', load: () => import('./overview/index.js') },
  { id: 'lab', icon: 'labs', place: 'cluster', isOf: isLearners, load: () => import('./lab/index.js') },
  { id: 'session', icon: 'time', place: 'cluster', isOf: isLearners, load: () => import('./session/index.js') },
  { id: 'objects', icon: 'objects', place: 'cluster', load: () => import('./objects/index.js') },
  { id: 'logs', icon: 'logs', place: 'cluster', load: () => import('./logs/index.js') },
  { id: 'terminal', icon: 'terminal', place: 'cluster', load: () => import('./terminal/index.js') },
  { id: 'picture', icon: 'picture', place: 'cluster', load: () => import('./picture/index.js') },
  { id: 'lanes', icon: 'lanes', place: 'cluster', load: () => import('./lanes/index.js') },
  { id: 'start', icon: 'play', place: 'cluster', load: () => import('./start/index.js') },
  { id: 'compare', icon: 'time', place: 'cluster', load: () => import('./compare/index.js') },
];

export const findView = (place: View['place'], id: string): View | undefined =>
  VIEWS.find((view) => view.place === place && view.id === id);
