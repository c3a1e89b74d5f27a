import { KustomizeFailure } from './failure.js';
import type { Kustomization } from './input/kustomization.js';
import { type Id, idOf, type Resource } from './resource.js';

const FIRST = [
  ...['Namespace', 'ResourceQuota', 'StorageClass', 'CustomResourceDefinition', 'ServiceAccount', 'PodSecurityPolicy'],
  ...['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding', 'ConfigMap', 'Secret', 'Endpoints', 'Service'],
  ...['LimitRange', 'PriorityClass', 'PersistentVolume', 'PersistentVolumeClaim', 'Deployment', 'StatefulSet'],
  ...['CronJob', 'PodDisruptionBudget'],
];
const LAST = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'];

/** The order of what is printed. `isLegacy`: by default by kinds. Models SortOrderTransformer. */
export function sortResources(
  resources: readonly Resource[],
  options: Kustomization['sortOptions'],
  isLegacy: boolean,
): Resource[] {
  const order = options?.order ?? (isLegacy && !options ? 'legacy' : 'fifo');
  if (order !== 'legacy' && order !== 'fifo')
    throw new KustomizeFailure("the field 'sortOptions.order' must be one of [fifo, legacy]");
  if (order === 'fifo') return [...resources];
  const { orderFirst = FIRST, orderLast = LAST } = options?.legacySortOptions ?? {};
  const rank = (kind: string): number => {
    const first = orderFirst.indexOf(kind);
    return first >= 0 ? first - orderFirst.length : orderLast.indexOf(kind) + 1;
  };
  const keyed = resources.map((resource) => ({ resource, id: idOf(resource) }));
  keyed.sort((a, b) => rank(a.id.kind) - rank(b.id.kind) || compare(keyOf(a.id), keyOf(b.id)));
  return keyed.map(({ resource }) => resource);
}

const keyOf = ({ group, version, kind, name, namespace }: Id): string =>
  `${group || '~G'}_${version || '~V'}_${kind || '~K'}|${namespace || '~X'}|${name || '~N'}`;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
