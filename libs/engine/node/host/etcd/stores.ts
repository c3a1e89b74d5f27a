import { bytesOf, type Bytes } from '../../../kernel/bytes.js';
import type { FileTree } from '../../../kernel/files/tree.js';
import type { Client } from '../../../machinery/client.js';
import type { Millis } from '../../../machinery/time/time.js';
import type { Etcd } from '../../../runtime/controller.js';
import { storeRows } from '../../cri/records/file-record.js';
import type { Disk } from '../files/disk.js';
import { makePath } from '../files/make-path.js';
import { MAX_KEYS, viewRegistry, type RegistryRow } from '../views/registry-view.js';
import { restoreObjects } from './restore.js';
import { formatSnapshot, MAX_SNAPSHOT_BYTES, parseRows } from './snapshot.js';

/** Where the objects of stores are kept that etcd does not run with: as snapshots. */
const STORES = '/run/etcd/stores';
/** The store that a node was set up with. */
const FIRST = 'first';
const SNAPSHOT = { type: 'file', mode: 0o600, user: 0, group: 0 } as const;

/** One etcd's change from a store to another. Names of stores: those of restorations; undefined: the first one. */
export interface StoreChange {
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** Of the node's disk, where etcd keeps its data now. */
  readonly folder: string;
}

interface StorePlace {
  readonly client: Client;
  readonly etcd: Etcd;
  readonly tree: FileTree;
  readonly disk: Disk;
  readonly now: Millis;
}

const dataOf = (folder: string): string => `${folder}/member/snap/db`;
const keptAt = (store: string | undefined): string => `${STORES}/${store ?? FIRST}.db`;

/**
 * etcd runs with other data than before: the cluster's objects are those which it had when etcd last ran with them, or
 * those of the snapshot that they were restored from. The objects of now are kept, so that one can go back to them.
 * Returns whether etcd begins empty.
 */
export function changeStore(place: StorePlace, { from, to, folder }: StoreChange): boolean {
  const { client, etcd, tree, disk, now } = place;
  const kept = disk.read(keptAt(to), MAX_SNAPSHOT_BYTES);
  const data = kept ?? disk.read(dataOf(folder), MAX_SNAPSHOT_BYTES);
  const rows = data === undefined ? [] : parseRows(data);
  if (!rows) return false;
  const before = viewRegistry(client);
  writeFile(tree, keptAt(from), snapshotOf(client, from, before), now);
  if (data === undefined) beginStore(tree, folder, snapshotOf(client, to, []), now);
  storeRows(client, tree.id, tree.id, tree.takeChanges());
  restoreObjects(rows, client, etcd);
  return rows.length === 0;
}

/** Whether the objects of now can be kept beside an empty store. */
export const canKeepStore = (client: Client): boolean => viewRegistry(client).length < MAX_KEYS;

const snapshotOf = (client: Client, store: string | undefined, rows: readonly RegistryRow[]): Bytes =>
  formatSnapshot(
    { hash: '', revision: client.revision, keys: rows.length, ...(store === undefined ? {} : { restored: store }) },
    bytesOf(JSON.stringify(rows)),
  );

const WAL = 'member/wal/0000000000000000-0000000000000000.wal';

function beginStore(tree: FileTree, folder: string, snapshot: Bytes, now: Millis): void {
  writeFile(tree, dataOf(folder), snapshot, now);
  writeFile(tree, `${folder}/${WAL}`, '', now);
}

function writeFile(tree: FileTree, path: string, content: Bytes, now: Millis): void {
  const place = makePath(tree, path, 0o700, now);
  if (!place) return;
  const { folder, file } = place;
  if (tree.find(folder, file) !== undefined) tree.unlink(folder, file, now);
  tree.create(folder, file, { ...SNAPSHOT, modified: now, content }, now);
}
