import { apiServerOf } from '../../../kinds/terrarium/noderuntime/api-server.js';
import { encryptionPrefix } from '../../../kinds/terrarium/noderuntime/encryption.js';
import type { CustomResourceDefinition } from '../../../api/apiextensions_v1.js';
import { CustomResourceDefinitions } from '../../../kinds/index.js';
import { kinds } from '../../../kinds/index.generated.js';
import { etcdKey } from '../../../machinery/etcd-key.js';
import type { Reader } from '../../../machinery/client.js';
import { defineKind, type Kind } from '../../../machinery/kind.js';

/** Where etcdctl finds what the API server keeps: rows as JSON, made when it is read. */
export const ETCD_FILE = '/run/etcd/registry.json';
/** Keys that one reading shows. */
export const MAX_KEYS = 5_000;

/** `prefix`: what the value begins with that is encrypted, of which `value` is what it was before. */
export type RegistryRow = readonly [key: string, value: string, revision: number, prefix?: string];

export function viewRegistry(read: Reader): RegistryRow[] {
  const rows: RegistryRow[] = [];
  const epochs = apiServerOf(read)?.encryption;
  for (const kind of storedKinds(read)) {
    for (const object of read.list(kind)) {
      if (rows.length >= MAX_KEYS) return rows.sort(byKey);
      const prefix = epochs ? encryptionPrefix(epochs, kind, object) : '';
      const revision = Number(object.metadata.resourceVersion ?? '0');
      const row = [etcdKey(kind, object), JSON.stringify(object), revision] as const;
      rows.push(prefix === '' ? row : [...row, prefix]);
    }
  }
  return rows.sort(byKey);
}

/** Whether the API server of a cluster would keep such objects. */
export const isInRegistry = (kind: Kind): boolean => !kind.internal && kind.group !== 'terrarium.dev';

/** The kinds whose objects etcd keeps, those of definitions behind those. */
export const storedKinds = (read: Reader): Kind[] => [
  ...kinds.filter(isInRegistry),
  ...read.list(CustomResourceDefinitions).map(kindOf).filter(isInRegistry),
];

/** As far as it tells where objects stand. */
const kindOf = ({ spec: { group, names, scope, versions } }: CustomResourceDefinition): Kind =>
  defineKind({
    ...{ group, kind: names.kind, plural: names.plural, singular: names.singular ?? '', scope, definition: '' },
    ...{ version: versions.find(({ storage }) => storage)?.name ?? '', generation: false },
  } as Kind);

const byKey = ([a]: RegistryRow, [b]: RegistryRow): number => (a < b ? -1 : a > b ? 1 : 0);
