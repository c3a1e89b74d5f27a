import { bytesOf } from '../../../../engine/kernel/bytes.js';
import { hash32 } from '../../../../engine/machinery/random.js';
import {
  formatSnapshot,
  MAX_SNAPSHOT_BYTES,
  parseRows,
  readHeader,
  rowsOfSnapshot,
  type SnapshotHeader,
} from '../../../../engine/node/host/etcd/snapshot.js';
import { MAX_KEYS } from '../../../../engine/node/host/views/registry-view.js';
import type { Disk } from '../../../../engine/node/host/files/disk.js';
import type { Options } from '../../framework/options.js';
import type { ToolContext } from '../../framework/tool.js';
import { diskOf, writeFile } from '../disk.js';
import { connect, fail, STORAGE_VERSION } from './connect.js';
import { ownFile, revisionOf, rowsOf } from './keys.js';
import { printTable } from './table.js';

/** What the file of a small cluster's store has. */
const SNAPSHOT_BYTES = 8_802_304;
const HEADER = ['HASH', 'REVISION', 'TOTAL KEYS', 'TOTAL SIZE', 'VERSION'];
/** They say who is alive and what has happened: nobody brings them back. */
const PASSING = ['/registry/leases/', '/registry/events/'];

export function save(tool: ToolContext, options: Options, file: string | undefined): number {
  if (file === undefined) throw fail('snapshot save expects one argument');
  const endpoint = connect(tool, options);
  const { sys } = tool;
  const rows = rowsOf(diskOf(sys));
  const revision = revisionOf(rows);
  const kept = rows.filter(([key]) => !PASSING.some((folder) => key.startsWith(folder)));
  const content = formatSnapshot(
    { hash: hash32(`${revision}/${rows.length}`).toString(16), revision, keys: rows.length },
    bytesOf(JSON.stringify(kept)),
  );
  if (rows.length >= MAX_KEYS || content.length > MAX_SNAPSHOT_BYTES)
    throw fail(`snapshots of more than ${MAX_KEYS} keys or ${MAX_SNAPSHOT_BYTES} bytes are not simulated`);
  const log = (caller: string, message: string, more: string): void =>
    tool.err(
      bytesOf(
        `{"level":"info","ts":"${new Date(sys.now).toISOString()}","caller":"${caller}","msg":"${message}",${more}}\n`,
      ),
    );
  log('snapshot/v3_snapshot.go:83', 'created temporary db file', `"path":"${file}.part"`);
  log('snapshot/v3_snapshot.go:96', 'fetching snapshot', `"endpoint":"${endpoint}"`);
  writeFile(sys, file, content, 0o600);
  const descriptor = sys.open(file, { write: true });
  sys.truncate(descriptor, SNAPSHOT_BYTES);
  sys.close(descriptor);
  log(
    'snapshot/v3_snapshot.go:111',
    'fetched snapshot',
    `"endpoint":"${endpoint}","size":"8.8 MB","took":"42.271ms","etcd-version":"${STORAGE_VERSION}"`,
  );
  log('snapshot/v3_snapshot.go:121', 'saved', `"path":"${file}"`);
  tool.out(bytesOf(`Snapshot saved at ${file}\nServer version ${STORAGE_VERSION}\n`));
  return 0;
}

/** Throws EtcdFailure for a file that is no snapshot. */
function readSnapshot(
  disk: Disk,
  file: string | undefined,
): { readonly header: SnapshotHeader; readonly content: string } {
  if (file === undefined) throw fail('snapshot status requires exactly one argument');
  const content = disk.read(file);
  if (content === undefined) throw fail(`stat ${file}: no such file or directory`);
  const header = readHeader(content);
  if (!header || !parseRows(content))
    throw fail('snapshot file integrity check failed. Most likely, the file has been corrupted');
  return { header, content };
}

export function status(tool: ToolContext, options: Options, file: string | undefined): number {
  const { hash, revision, keys } = readSnapshot(diskOf(tool.sys), file).header;
  const row = [hash, String(revision), String(keys), '8.8 MB', STORAGE_VERSION];
  if (options.value('w') === 'table') printTable(tool, HEADER, [row]);
  else if (options.value('w') === 'json')
    tool.out(
      `${JSON.stringify({ hash: parseInt(hash, 16), revision, totalKey: keys, totalSize: SNAPSHOT_BYTES, version: STORAGE_VERSION })}\n`,
    );
  else tool.out(`${row.join(', ')}\n`);
  return 0;
}

export function restore(tool: ToolContext, options: Options, file: string | undefined): number {
  const { sys } = tool;
  const disk = diskOf(sys);
  const { header, content } = readSnapshot(disk, file);
  const folder = options.value('data-dir') ?? `${options.value('name') ?? 'default'}.etcd`;
  if (disk.list(folder).length > 0) throw fail(`data-dir "${folder}" not empty or could not be read`);
  for (const path of [folder, `${folder}/member`, `${folder}/member/snap`, `${folder}/member/wal`])
    if (!sys.access(path, '')) sys.makeDirectory(path, 0o700);
  const restored = hash32(`${folder}/${sys.now}/${header.hash}`).toString(16);
  const own = (parseRows(content) ?? []).filter(([key]) => !key.startsWith('/registry/'));
  writeFile(sys, `${folder}/member/snap/db`, formatSnapshot({ ...header, restored }, rowsOfSnapshot(content)), 0o600);
  writeFile(sys, ownFile(folder), bytesOf(JSON.stringify(own)), 0o600);
  writeFile(sys, `${folder}/member/wal/0000000000000000-0000000000000000.wal`, '', 0o600);
  const member = `${folder}/member`;
  const more = `{"path": "${file}", "wal-dir": "${member}/wal", "data-dir": "${folder}", "snap-dir": "${member}/snap", "initial-memory-map-size": 0}`;
  const log = (caller: string, message: string): void => {
    const now = new Date(sys.now).toISOString().replace(/\.\d+/, '');
    tool.err(bytesOf(`${now}\tinfo\tsnapshot/${caller}\t${message}\t${more}\n`));
  };
  log('v3_snapshot.go:305', 'restoring snapshot');
  log('v3_snapshot.go:333', 'restored snapshot');
  return 0;
}
