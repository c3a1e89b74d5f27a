import { bytesOf, textOf } from '../../../../engine/kernel/bytes.js';
import type { Disk } from '../../../../engine/node/host/files/disk.js';
import { parseOptions, type Options } from '../../options.js';
import { defineTool, type ToolContext } from '../../tool.js';
import { diskOf } from '../disk.js';
import { hash32 } from '../../../../engine/machinery/random.js';
import { CLUSTER_FILE, type ClusterInfo } from '../../../../engine/node/host/views/releases-view.js';
import { connect, EtcdFailure, fail, MANIFEST, VERSION } from './connect.js';
import { del, get, put, revisionOf, rowsOf } from './keys.js';
import { restore, save, status } from './snapshots.js';
import { printTable } from './table.js';

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
    'from-key',
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
const MEMBER = 'a8cbd6e8c5b2b7d1';

/**
 * Models etcdctl and etcdutl over what the API server keeps: keys, health, and snapshots with the objects in them.
 * Left out: values of the API server's keys, watches, users, transactions.
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
      return put(tool, options, rest);
    case 'del':
      return del(tool, options, rest);
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

/** The node's address, as etcd's manifest has it. */
const clientUrl = (disk: Disk): string =>
  /--advertise-client-urls=(\S+)/.exec(textOf(disk.read(MANIFEST) ?? ''))?.[1] ?? 'https://127.0.0.1:2379';

function members(tool: ToolContext, options: Options): number {
  connect(tool, options);
  const rows = membersOf(tool).sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
  if (options.value('w') === 'table')
    printTable(tool, ['ID', 'STATUS', 'NAME', 'PEER ADDRS', 'CLIENT ADDRS', 'IS LEARNER'], rows);
  else tool.out(rows.map((row) => `${row.join(', ')}\n`).join(''));
  return 0;
}

/** An etcd on each node of the control plane; by this node's manifest its own, whatever the others are. */
function membersOf({ sys }: ToolContext): string[][] {
  const disk = diskOf(sys);
  const { nodes = [] } = JSON.parse(textOf(disk.read(CLUSTER_FILE) ?? '{}')) as Partial<ClusterInfo>;
  const servers = nodes.filter(({ controlPlane, name }) => controlPlane !== undefined || name === sys.hostname);
  return servers.map(({ name, ip }, i) => {
    const url = name === sys.hostname ? clientUrl(disk) : `https://${ip}:2379`;
    const id =
      i === 0 ? MEMBER : hash32(name).toString(16).padStart(8, '0') + hash32(name, 1).toString(16).padStart(8, '0');
    return [id, 'started', name, url.replace(':2379', ':2380'), url, 'false'];
  });
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
  const revision = revisionOf(rowsOf(diskOf(tool.sys)));
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
