import { bytesOf } from '../../../kernel/bytes.js';
import { sizeOf } from '../../../kernel/files/file-system.js';
import type { FileNode } from '../../../kernel/files/file.js';
import { inodeRow, nameRow, type FileRow, type FileTree } from '../../../kernel/files/tree.js';
import { FileChanges } from '../../../kinds/index.js';
import type { AuditConfiguration } from '../../../kinds/terrarium/noderuntime/api-server-configuration.js';
import type { Client } from '../../../machinery/client.js';
import { DAY, microTimestamp, type Millis } from '../../../machinery/time/time.js';
import { makePath } from '../files/make-path.js';
import type { AuditOptions } from './audit-options.js';
import { appendToInode, logKey, readInode, readRow, storeRows } from '../../cri/records/file-record.js';

const NEW_FILE: Omit<FileNode, 'modified'> = { type: 'file', mode: 0o600, user: 0, group: 0, content: '' };

/** The log that an API server which comes up writes; undefined: its file is nowhere on the node. */
export function openAuditLog(
  client: Client,
  node: string,
  tree: FileTree,
  { path, ...options }: AuditOptions,
  now: Millis,
): AuditConfiguration | undefined {
  const opened = path === undefined ? undefined : makePath(tree, path, 0o755, now);
  if (!opened) return undefined;
  const log = { node, ...opened, ...options };
  storeRows(client, tree.id, tree.id, tree.takeChanges());
  appendToLog(client, log, '', now);
  return log;
}

/**
 * Appends lines to the log, and rotates it as lumberjack does: the file gets the time in its name, and a new one is
 * begun. Returns the rows that it has written, for trees that show the file.
 */
export function appendToLog(client: Client, log: AuditConfiguration, lines: string, now: Millis): FileRow[] {
  const { node, folder, file } = log;
  const tree = `node/${node}`;
  const at = { tree, owner: tree };
  const bytes = bytesOf(lines);
  const key = readRow(client, tree, nameRow(folder, file))?.name?.key;
  const row = typeof key === 'string' ? readInode(client, tree, key) : undefined;
  const size = row?.inode ? sizeOf(row.inode.node) : 0;
  if (row && bytes === '') return [];
  if (row && (size === 0 || size + bytes.length <= log.maxBytes))
    return [appendToInode(client, { ...at, row }, bytes, now)];
  const rotated = row && typeof key === 'string' ? rotate(client, log, key, now) : [];
  const fresh = logKey(client.revision);
  const made: FileRow[] = [
    { id: inodeRow(fresh), inode: { key: fresh, node: { ...NEW_FILE, modified: now, content: bytes }, links: 1 } },
    { id: nameRow(folder, file), name: { parent: folder, name: file, key: fresh } },
  ];
  storeRows(client, tree, tree, made);
  return [...rotated, ...made];
}

function rotate(client: Client, log: AuditConfiguration, key: string, now: Millis): FileRow[] {
  const { node, folder, file } = log;
  const tree = `node/${node}`;
  const [stem, extension] = splitName(file);
  const name = `${stem}-${stampOf(now)}${extension}`;
  const kept: FileRow = { id: nameRow(folder, name), name: { parent: folder, name, key } };
  const old = backupsOf(client, log, stem, extension);
  const oldest = log.maxAgeDays > 0 ? stampOf(now - log.maxAgeDays * DAY) : '';
  const gone = [...old.slice(log.maxBackups - 1), ...old.filter((one) => one.name.slice(stem.length + 1) < oldest)];
  storeRows(client, tree, tree, [
    kept,
    ...gone.flatMap((one) => [{ id: nameRow(folder, one.name) }, { id: inodeRow(one.key) }]),
  ]);
  return [
    kept,
    ...gone.map((one) => ({ id: nameRow(folder, one.name), name: { parent: folder, name: one.name, key: null } })),
  ];
}

/** As lumberjack writes it into a name. */
const stampOf = (at: Millis): string => microTimestamp(at).slice(0, 23).replaceAll(':', '-');

function splitName(file: string): [stem: string, extension: string] {
  const dot = file.lastIndexOf('.');
  return dot > 0 ? [file.slice(0, dot), file.slice(dot)] : [file, ''];
}

/** Rotated files, the newest first. */
function backupsOf(
  client: Client,
  { node, folder }: AuditConfiguration,
  stem: string,
  extension: string,
): { readonly name: string; readonly key: string }[] {
  const isOld = (name: string): boolean =>
    name.startsWith(`${stem}-`) && name.endsWith(extension) && /^\d{4}-\d\d-\d\dT/.test(name.slice(stem.length + 1));
  return client
    .byIndex(FileChanges, 'tree', `node/${node}`)
    .flatMap(({ row }) => {
      const { name } = row as FileRow;
      return name && name.key !== null && name.parent === folder && isOld(name.name)
        ? [{ name: name.name, key: name.key }]
        : [];
    })
    .sort((a, b) => (a.name < b.name ? 1 : -1));
}
