import { bytesOf, textOf } from '../../../engine/kernel/bytes.js';
import { hash32 } from '../../../engine/machinery/random.js';
import { parseServer } from '../../../engine/node/host/services/kubelet-start.js';
import { ETCD_FILE, type RegistryRow } from '../../../engine/node/host/views/registry-view.js';
import type { Disk } from '../../../engine/node/host/files/disk.js';
import { parseOptions, type Options } from '../options.js';
import { defineTool, type ToolContext, ToolFailure } from '../tool.js';
import { diskOf, writeFile } from './disk.js';

const VERSION = '3.6.8';
const OPTIONS = [
  ...[
    'endpoints:',
    'cacert:',
    'cert:',
    'key:',
    'w,write-out:',
    'command-timeout:',
    'dial-timeout:',
    'prefix',
    'keys-only',
  ],
  ...[
    'print-value-only',
    'count-only',
    'limit:',
    'data-dir:',
    'name:',
    'initial-cluster:',
    'initial-advertise-peer-urls:',
  ],
  ...[
    'initial-cluster-token:',
    'skip-hash-check',
    'bump-revision:',
    'mark-compacted',
    'wal-dir:',
    'cluster',
    'insecure-skip-tls-verify',
  ],
];
const MANIFEST = '/etc/kubernetes/manifests/etcd.yaml';
const PORT = 2_379;
const SNAPSHOT_BYTES = 8_802_304;
const MEMBER = 'a8cbd6e8c5b2b7d1';
const REFUSED = 'Error: context deadline exceeded\n';

/** A command fails in etcdctl's words, on standard error. */
class EtcdFailure extends ToolFailure {}

const fail = (message: string): EtcdFailure => new EtcdFailure(`Error: ${message}`);

/**
 * Models etcdctl and etcdutl over what the API server keeps: reading, health, and snapshots as files. Left out: writes
 * beside the API server, watches, users; a snapshot has no objects in it.
 */
export const etcdctl = defineTool((tool) => {
  try {
    return run(tool, parseOptions(tool, OPTIONS));
  } catch (error) {
    if (!(error instanceof EtcdFailure)) throw error;
    tool.err(bytesOf(`${error.message}\n`));
    return error.code;
  }
});

function run(tool: ToolContext, options: Options): number {
  const [first = '', ...rest] = options.operands;
  const two = `${first} ${rest[0] ?? ''}`;
  switch (first) {
    case 'version':
      tool.out(`etcdctl version: ${VERSION}\nAPI version: 3.6\n`);
      return 0;
    case 'get':
      return get(tool, options, rest);
    case 'put':
    case 'del':
    case 'txn':
      connect(tool, options);
      throw fail('etcdserver: writes beside the API server are not simulated');
    case '':
      tool.out('NAME:\n\tetcdctl - A simple command line client for etcd3.\n');
      return 0;
  }
  switch (two) {
    case 'snapshot save':
      return save(tool, options, rest[1]);
    case 'snapshot status':
      return status(tool, options, rest[1]);
    case 'snapshot restore':
      return restore(tool, options, rest[1]);
    case 'alarm list':
    case 'alarm disarm':
      // What the API server keeps has neither a quota nor a corrupt page: there is no alarm.
      connect(tool, options);
      return 0;
    case 'member list':
      return members(tool, options);
    case 'endpoint health':
      return health(tool, options);
    case 'endpoint status':
      return endpointStatus(tool, options);
  }
  throw fail(`unknown command "${two.trim()}" for "etcdctl"`);
}

const setting = ({ sys }: ToolContext, options: Options, name: string): string | undefined =>
  options.value(name) ?? sys.env[`ETCDCTL_${name.toUpperCase().replaceAll('-', '_')}`];

/** Reaches etcd with the certificates of the command line. Throws EtcdFailure. */
function connect(tool: ToolContext, options: Options): string {
  const disk = diskOf(tool.sys);
  const endpoint = (setting(tool, options, 'endpoints') ?? '127.0.0.1:2379').split(',')[0]!;
  for (const name of ['cacert', 'cert', 'key']) {
    const file = setting(tool, options, name);
    if (file !== undefined && !disk.has(file)) throw fail(`open ${file}: no such file or directory`);
  }
  const [authority, certificate, key] = ['cacert', 'cert', 'key'].map((name) => setting(tool, options, name) ?? '');
  const url = parseServer(endpoint.startsWith('http') ? endpoint : `https://${endpoint}`);
  const isPlain = !endpoint.startsWith('https://') && !authority;
  const isTrusted = authority!.includes('/etcd/') && certificate !== '' && key !== '';
  const why =
    url?.port !== PORT || !disk.has(MANIFEST)
      ? `connection error: desc = \\"transport: Error while dialing: dial tcp ${url?.host}:${url?.port}: connect: connection refused\\"`
      : isPlain
        ? 'connection error: desc = \\"error reading server preface: EOF\\"'
        : isTrusted
          ? undefined
          : 'connection error: desc = \\"transport: authentication handshake failed: tls: failed to verify certificate: x509: certificate signed by unknown authority\\"';
  if (why === undefined) return endpoint;
  const time = new Date(tool.sys.now).toISOString();
  const warning = `{"level":"warn","ts":"${time}","logger":"etcd-client","caller":"v3@v${VERSION}/retry_interceptor.go:65","msg":"retrying of unary invoker failed","target":"etcd-endpoints://0xc0003a8000/${endpoint}","method":"/etcdserverpb.KV/Range","attempt":0,"error":"rpc error: code = DeadlineExceeded desc = latest balancer error: ${why}"}`;
  tool.err(bytesOf(`${warning}\n`));
  throw new EtcdFailure(REFUSED.trim());
}

const rowsOf = (disk: Disk): RegistryRow[] => JSON.parse(textOf(disk.read(ETCD_FILE) ?? '[]')) as RegistryRow[];

function get(tool: ToolContext, options: Options, [key, end]: readonly string[]): number {
  if (key === undefined) throw fail('get command needs one argument as key and an optional argument as range_end');
  connect(tool, options);
  const matches = (one: string): boolean =>
    options.has('prefix') ? one.startsWith(key) : end === undefined ? one === key : one >= key && one < end;
  const limit = Number(options.value('limit') ?? 0) || Infinity;
  const found = rowsOf(diskOf(tool.sys))
    .filter(([one]) => matches(one))
    .slice(0, limit);
  if (options.value('w') === 'json') {
    const kvs = found.map(([k, v, revision]) => ({ key: btoa(k), mod_revision: revision, value: btoa(bytesOf(v)) }));
    tool.out(`${JSON.stringify({ kvs, count: found.length })}\n`);
    return 0;
  }
  for (const [one, value] of found) {
    if (!options.has('print-value-only')) tool.out(bytesOf(`${one}\n`));
    tool.out(bytesOf(options.has('keys-only') ? '\n' : `${value}\n`));
  }
  return 0;
}

interface Snapshot {
  readonly hash: string;
  readonly revision: number;
  readonly keys: number;
}

const HEADER = 'etcd snapshot ';

function save(tool: ToolContext, options: Options, file: string | undefined): number {
  if (file === undefined) throw fail('snapshot save expects one argument');
  const endpoint = connect(tool, options);
  const { sys } = tool;
  const rows = rowsOf(diskOf(sys));
  const revision = rows.reduce((most, [, , one]) => Math.max(most, one), 0);
  const snapshot: Snapshot = { hash: hash32(`${revision}/${rows.length}`).toString(16), revision, keys: rows.length };
  const log = (caller: string, message: string, more: string): void =>
    tool.err(
      bytesOf(
        `{"level":"info","ts":"${new Date(sys.now).toISOString()}","caller":"${caller}","msg":"${message}",${more}}\n`,
      ),
    );
  log('snapshot/v3_snapshot.go:83', 'created temporary db file', `"path":"${file}.part"`);
  log('snapshot/v3_snapshot.go:96', 'fetching snapshot', `"endpoint":"${endpoint}"`);
  writeFile(sys, file, bytesOf(`${HEADER}${JSON.stringify(snapshot)}\n`), 0o600);
  const descriptor = sys.open(file, { write: true });
  sys.truncate(descriptor, SNAPSHOT_BYTES);
  sys.close(descriptor);
  log('snapshot/v3_snapshot.go:111', 'fetched snapshot', `"endpoint":"${endpoint}","size":"8.8 MB","took":"now"`);
  log('snapshot/v3_snapshot.go:121', 'saved', `"path":"${file}"`);
  tool.out(bytesOf(`Snapshot saved at ${file}\n`));
  return 0;
}

/** Throws EtcdFailure for a file that is no snapshot. */
function readSnapshot(disk: Disk, file: string | undefined): Snapshot {
  if (file === undefined) throw fail('snapshot status requires exactly one argument');
  const content = disk.read(file);
  if (content === undefined) throw fail(`stat ${file}: no such file or directory`);
  const [line = ''] = content.slice(0, 1_000).split('\n', 1);
  if (!line.startsWith(HEADER))
    throw fail('snapshot file integrity check failed. Most likely, the file has been corrupted');
  return JSON.parse(line.slice(HEADER.length)) as Snapshot;
}

function status(tool: ToolContext, options: Options, file: string | undefined): number {
  const { hash, revision, keys } = readSnapshot(diskOf(tool.sys), file);
  const size = '8.8 MB';
  if (options.value('w') === 'table')
    printTable(tool, ['HASH', 'REVISION', 'TOTAL KEYS', 'TOTAL SIZE'], [[hash, String(revision), String(keys), size]]);
  else if (options.value('w') === 'json')
    tool.out(`${JSON.stringify({ hash: parseInt(hash, 16), revision, totalKey: keys, totalSize: SNAPSHOT_BYTES })}\n`);
  else tool.out(`${hash}, ${revision}, ${keys}, ${size}\n`);
  return 0;
}

function restore(tool: ToolContext, options: Options, file: string | undefined): number {
  const { sys } = tool;
  const disk = diskOf(sys);
  readSnapshot(disk, file);
  const folder = options.value('data-dir') ?? `${options.value('name') ?? 'default'}.etcd`;
  if (disk.list(folder).length > 0) throw fail(`data-dir "${folder}" not empty or could not be read`);
  for (const path of [folder, `${folder}/member`, `${folder}/member/snap`, `${folder}/member/wal`])
    if (!sys.access(path, '')) sys.makeDirectory(path, 0o700);
  for (const path of [`${folder}/member/snap/db`, `${folder}/member/wal/0000000000000000-0000000000000000.wal`])
    writeFile(sys, path, '', 0o600);
  const log = (message: string): void =>
    tool.err(
      bytesOf(
        `${new Date(sys.now).toISOString()}\tinfo\tsnapshot/v3_snapshot.go:265\t${message}\t{"path": "${file}", "data-dir": "${folder}"}\n`,
      ),
    );
  log('restoring snapshot');
  log('restored snapshot');
  tool.err('Note: the objects of a simulated cluster stay as they are: only the data directory is made.\n');
  return 0;
}

/** The node's address, as etcd's manifest has it. */
const clientUrl = (disk: Disk): string =>
  /--advertise-client-urls=(\S+)/.exec(textOf(disk.read(MANIFEST) ?? ''))?.[1] ?? 'https://127.0.0.1:2379';

function members(tool: ToolContext, options: Options): number {
  connect(tool, options);
  const url = clientUrl(diskOf(tool.sys));
  const row = [MEMBER, 'started', tool.sys.hostname, url.replace(':2379', ':2380'), url, 'false'];
  if (options.value('w') === 'table')
    printTable(tool, ['ID', 'STATUS', 'NAME', 'PEER ADDRS', 'CLIENT ADDRS', 'IS LEARNER'], [row]);
  else tool.out(`${row.join(', ')}\n`);
  return 0;
}

function health(tool: ToolContext, options: Options): number {
  const endpoint = connect(tool, options);
  if (options.value('w') === 'table')
    printTable(tool, ['ENDPOINT', 'HEALTH', 'TOOK', 'ERROR'], [[endpoint, 'true', '9.731ms', '']]);
  else tool.out(`${endpoint} is healthy: successfully committed proposal: took = 9.731ms\n`);
  return 0;
}

function endpointStatus(tool: ToolContext, options: Options): number {
  const endpoint = connect(tool, options);
  const revision = rowsOf(diskOf(tool.sys)).reduce((most, [, , one]) => Math.max(most, one), 0);
  const row = [endpoint, MEMBER, VERSION, '8.8 MB', 'true', 'false', '2', String(revision), String(revision), ''];
  const header = [
    'ENDPOINT',
    'ID',
    'VERSION',
    'DB SIZE',
    'IS LEADER',
    'IS LEARNER',
    'RAFT TERM',
    'RAFT INDEX',
    'RAFT APPLIED INDEX',
    'ERRORS',
  ];
  if (options.value('w') === 'table') printTable(tool, header, [row]);
  else tool.out(`${row.join(', ')}\n`);
  return 0;
}

/** Models olekukonko/tablewriter: titles are centred, numbers stand to the right. */
function printTable(tool: ToolContext, header: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = header.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]!.length)));
  const rule = `+${widths.map((width) => '-'.repeat(width + 2)).join('+')}+\n`;
  const centre = (text: string, width: number): string => {
    const left = Math.floor((width - text.length) / 2);
    return ' '.repeat(left) + text + ' '.repeat(width - text.length - left);
  };
  const cell = (text: string, width: number): string =>
    /^\d+$/.test(text) ? text.padStart(width) : text.padEnd(width);
  tool.out(rule + `|${header.map((title, i) => ` ${centre(title, widths[i]!)} `).join('|')}|\n` + rule);
  for (const row of rows) tool.out(`|${row.map((text, i) => ` ${cell(text, widths[i]!)} `).join('|')}|\n`);
  tool.out(rule);
}
