import { bytesOf } from '../../../../engine/kernel/bytes.js';
import { parseOptions, type Options } from '../../framework/options.js';
import { defineTool, type ToolContext } from '../../framework/tool.js';
import { inCobraWords } from '../cobra.js';
import { EtcdFailure, fail, propose, VERSION } from './connect.js';
import { endpointHealth, endpointStatus, listMembers } from './endpoints.js';
import { del, get, put } from './keys.js';
import { restore, save, status } from './snapshots.js';
import { runUpkeep } from './upkeep.js';

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
    'consistency:',
    'insecure-skip-tls-verify',
    'physical',
    'debug',
  ],
];
/** Commands of the real one that are not here. */
const OTHERS = new Set(
  'alarm auth check completion downgrade elect endpoint lease lock make-mirror member move-leader role snapshot txn user watch'.split(
    ' ',
  ),
);

const FILE_COMMANDS = new Set(['completion', 'defrag', 'hashkv', 'migrate', 'snapshot']);

/**
 * Models etcdctl and etcdutl over what the API server keeps: keys, health, and snapshots with the objects in them.
 * Left out: watches, users, transactions.
 */
export const etcdctl = defineTool((tool) => guard(tool, (options) => run(tool, options)));

/** etcdutl works on files alone. Of an etcdctl before 3.6, which had these commands too, are its words beside them. */
export const etcdutl = defineTool((tool) => guard(tool, (options) => runOnFiles(tool, options)));

function guard(tool: ToolContext, work: (options: Options) => number): number {
  try {
    return work(inCobraWords(() => parseOptions(tool, OPTIONS), fail));
  } catch (error) {
    if (!(error instanceof EtcdFailure)) throw error;
    tool.err(bytesOf(`${error.message}\n`));
    return error.code;
  }
}

function runOnFiles(tool: ToolContext, options: Options): number {
  const [first = '', second = '', file] = options.operands;
  switch (`${first} ${second}`.trim()) {
    case 'version':
      tool.out(`etcdutl version: ${VERSION}\nAPI version: 3.6\n`);
      return 0;
    case 'snapshot status':
      return status(tool, options, file);
    case 'snapshot restore':
      return restore(tool, options, file);
    case '':
      tool.out('Usage:\n  etcdutl [command]\n');
      return 0;
  }
  if (FILE_COMMANDS.has(first)) throw fail(`"${`${first} ${second}`.trim()}" is not simulated`);
  throw fail(`unknown command "${first}" for "etcdutl"`);
}

/** Says where etcdctl's commands went. */
function deprecate(tool: ToolContext, command: string): void {
  tool.err(`Deprecated: Use \`etcdutl ${command}\` instead.\n\n`);
}

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
      deprecate(tool, two);
      return status(tool, options, rest[1]);
    case 'snapshot restore':
      deprecate(tool, two);
      return restore(tool, options, rest[1]);
    case 'alarm list':
    case 'alarm disarm':
      // What the API server keeps has neither a quota nor a corrupt page: there is no alarm.
      propose(tool, options, 'Maintenance/Alarm');
      return 0;
    case 'member list':
      return listMembers(tool, options);
    case 'endpoint health':
      return endpointHealth(tool, options);
    case 'endpoint status':
      return endpointStatus(tool, options);
  }
  const code = runUpkeep(tool, options, first);
  if (code !== undefined) return code;
  if (OTHERS.has(first)) throw fail(`"${two.trim()}" is not simulated`);
  throw fail(`unknown command "${first}" for "etcdctl"`);
}
