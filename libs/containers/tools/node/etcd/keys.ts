import { bytesOf, textOf } from '../../../../engine/kernel/bytes.js';
import { hash32 } from '../../../../engine/machinery/random.js';
import type { Pod } from '../../../../engine/api/core_v1.js';
import { readJson } from '../../../../engine/node/host/json.js';
import { REQUESTS, type RemovalRequest } from '../../../../engine/node/host/requests.js';
import { dataFolderOf } from '../../../../engine/node/host/services/component-fault.js';
import { ETCD_FILE, type RegistryRow } from '../../../../engine/node/host/views/registry-view.js';
import type { Disk } from '../../../../engine/node/host/files/disk.js';
import { parseYaml } from '../../../../engine/schema/index.js';
import type { Options } from '../../framework/options.js';
import type { ToolContext } from '../../framework/tool.js';
import { diskOf, writeFile } from '../disk.js';
import { fail, propose } from './connect.js';
import { MANIFEST } from './members.js';
import { valueOf } from './values.js';

/** Keys of the API server, whose values are objects of the cluster. */
const REGISTRY = '/registry/';
/** Keys that somebody has put beside them. */
const MAX_OWN = 1_000;

/** The folder of the data of the etcd that runs. */
export function dataFolder(disk: Disk): string {
  const { value } = parseYaml(textOf(disk.read(MANIFEST) ?? ''));
  const folder = (value as Pod | undefined)?.spec?.containers ? dataFolderOf(value as Pod) : undefined;
  return folder ?? '/var/lib/etcd';
}

export const ownFile = (folder: string): string => `${folder}/member/snap/keys.json`;

function ownRows(disk: Disk): RegistryRow[] {
  const rows = readJson(textOf(disk.read(ownFile(dataFolder(disk))) ?? '[]'));
  return Array.isArray(rows) ? (rows as RegistryRow[]) : [];
}

const registryRows = (disk: Disk): RegistryRow[] => JSON.parse(textOf(disk.read(ETCD_FILE) ?? '[]')) as RegistryRow[];

/** All keys, in their order. */
export const rowsOf = (disk: Disk): RegistryRow[] =>
  [...registryRows(disk), ...ownRows(disk)].sort(([a], [b]) => (a < b ? -1 : 1));

export const revisionOf = (rows: readonly RegistryRow[]): number =>
  rows.reduce((most, [, , one]) => Math.max(most, one), 1);

function find(tool: ToolContext, options: Options, [key, end]: readonly string[], verb: string): RegistryRow[] {
  if (key === undefined) throw fail(`${verb} command needs one argument as key and an optional argument as range_end`);
  propose(tool, options, verb === 'get' ? 'KV/Range' : 'KV/DeleteRange');
  const matches = (one: string): boolean =>
    options.has('prefix')
      ? one.startsWith(key)
      : options.has('from-key')
        ? one >= key
        : end === undefined
          ? one === key
          : one >= key && one < end;
  return rowsOf(diskOf(tool.sys)).filter(([one]) => matches(one));
}

export function get(tool: ToolContext, options: Options, words: readonly string[]): number {
  const all = find(tool, options, words, 'get');
  const limit = Number(options.value('limit') ?? 0) || Infinity;
  const found = all.slice(0, limit);
  const format = options.value('w');
  if (format === 'json') {
    const kvs = found.map(([k, v, revision, prefix]) => ({
      key: btoa(bytesOf(k)),
      mod_revision: revision,
      value: btoa(valueOf([k, v, revision, prefix])),
    }));
    tool.out(`${JSON.stringify({ kvs, count: all.length })}\n`);
    return 0;
  }
  if (options.has('count-only')) {
    if (format === 'fields') tool.out(`"Count" : ${all.length}\n`);
    return 0;
  }
  for (const row of found) {
    if (!options.has('print-value-only')) tool.out(bytesOf(`${row[0]}\n`));
    tool.out(options.has('keys-only') ? '\n' : `${valueOf(row)}\n`);
  }
  return 0;
}

/** Only keys beside the API server's are put: its own values are its objects, which it validates. */
export function put(tool: ToolContext, options: Options, [key, value]: readonly string[]): number {
  if (key === undefined || value === undefined)
    throw fail('put command needs 1 argument and input from stdin or 2 arguments');
  propose(tool, options, 'KV/Put');
  if (key.startsWith(REGISTRY))
    throw fail(`values of the API server (${key}) are protobuf: writing them beside it is not simulated`);
  const disk = diskOf(tool.sys);
  const rows = ownRows(disk).filter(([one]) => one !== key);
  if (rows.length >= MAX_OWN) throw fail('etcdserver: mvcc: database space exceeded');
  storeOwn(tool, [...rows, [key, value, revisionOf(rowsOf(disk)) + 1]]);
  tool.out('OK\n');
  return 0;
}

export function del(tool: ToolContext, options: Options, words: readonly string[]): number {
  const found = find(tool, options, words, 'del').map(([key]) => key);
  const gone = new Set(found);
  const own = ownRows(diskOf(tool.sys));
  const left = own.filter(([key]) => !gone.has(key));
  if (left.length < own.length) storeOwn(tool, left);
  const keys = found.filter((key) => key.startsWith(REGISTRY));
  if (keys.length > 0) send(tool, { verb: 'remove', keys });
  tool.out(`${found.length}\n`);
  return 0;
}

const storeOwn = ({ sys }: ToolContext, rows: readonly RegistryRow[]): void =>
  writeFile(sys, ownFile(dataFolder(diskOf(sys))), bytesOf(JSON.stringify(rows)), 0o600);

function send({ sys }: ToolContext, request: RemovalRequest): void {
  for (const path of ['/run/kubeadm', REQUESTS]) if (!sys.access(path, '')) sys.makeDirectory(path, 0o700);
  const name = `${hash32(`${sys.now}/${request.keys.join()}`).toString(16)}-${diskOf(sys).list(REQUESTS).length}`;
  writeFile(sys, `${REQUESTS}/${name}`, bytesOf(JSON.stringify(request)), 0o600);
}
