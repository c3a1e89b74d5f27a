import { kinds } from '../../../kinds/index.generated.js';
import type { Reader } from '../../../machinery/client.js';
import type { Kind } from '../../../machinery/kind.js';
import type { KubeObject } from '../../../machinery/meta/object.js';

/** Where etcdctl finds what the API server keeps: [key, value, revision] rows as JSON, made when it is read. */
export const ETCD_FILE = '/run/etcd/registry.json';
/** Keys that one reading shows. */
export const MAX_KEYS = 5_000;

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
    if (!isInRegistry(kind)) continue;
    for (const object of read.list(kind)) {
      if (rows.length >= MAX_KEYS) return rows.sort(byKey);
      rows.push([registryKey(kind, object), JSON.stringify(object), Number(object.metadata.resourceVersion ?? '0')]);
    }
  }
  return rows.sort(byKey);
}

/** Whether the API server of a cluster would keep such objects. */
export const isInRegistry = (kind: Kind): boolean => !kind.internal && kind.group !== 'terrarium.dev';

/** The key that the API server keeps an object under. */
export function registryKey(kind: Kind, { metadata: { namespace, name = '' } }: KubeObject): string {
  const folder = `/registry/${prefixOf(kind)}`;
  return namespace ? `${folder}/${namespace}/${name}` : `${folder}/${name}`;
}

const byKey = ([a]: RegistryRow, [b]: RegistryRow): number => (a < b ? -1 : a > b ? 1 : 0);

const prefixOf = ({ group, plural }: Kind): string =>
  GROUPED.has(group) ? `${group}/${plural}` : Object.hasOwn(FOLDERS, plural) ? FOLDERS[plural]! : plural;
