import { kinds } from '../../../kinds/index.generated.js';
import type { Reader } from '../../../machinery/client.js';
import type { Kind } from '../../../machinery/kind.js';

/** Where etcdctl finds what the API server keeps: [key, value, revision] rows as JSON, made when it is read. */
export const ETCD_FILE = '/run/etcd/registry.json';
/** Keys that one reading shows. */
const MAX_KEYS = 5_000;

export type RegistryRow = readonly [key: string, value: string, revision: number];

/** Folders that are not the plural of their kind. Models pkg/registry's storage prefixes. */
const FOLDERS: Readonly<Record<string, string>> = {
  endpoints: 'services/endpoints',
  services: 'services/specs',
  nodes: 'minions',
  replicationcontrollers: 'controllers',
  ingresses: 'ingress',
};
/** Groups whose kinds stand in a folder of the group's name. */
const GROUPED = new Set(['apiregistration.k8s.io', 'apiextensions.k8s.io']);

export function viewRegistry(read: Reader): RegistryRow[] {
  const rows: RegistryRow[] = [];
  for (const kind of kinds) {
    if (kind.internal || kind.group === 'terrarium.dev') continue;
    for (const object of read.list(kind)) {
      if (rows.length >= MAX_KEYS) return rows.sort(byKey);
      const { namespace, name = '', resourceVersion = '0' } = object.metadata;
      const folder = `/registry/${prefixOf(kind)}`;
      const key = namespace ? `${folder}/${namespace}/${name}` : `${folder}/${name}`;
      rows.push([key, JSON.stringify(object), Number(resourceVersion)]);
    }
  }
  return rows.sort(byKey);
}

const byKey = ([a]: RegistryRow, [b]: RegistryRow): number => (a < b ? -1 : a > b ? 1 : 0);

const prefixOf = ({ group, plural }: Kind): string =>
  GROUPED.has(group) ? `${group}/${plural}` : Object.hasOwn(FOLDERS, plural) ? FOLDERS[plural]! : plural;
