import type { Options } from '../../framework/options.js';
import type { ToolContext } from '../../framework/tool.js';
import { diskOf } from '../disk.js';
import { connect, fail, propose } from './connect.js';
import { revisionOf, rowsOf } from './keys.js';

/**
 * What keeps etcd's database small, and lists of what the API server does not use: leases of its own, users, roles.
 * Models etcdctl/ctlv3/command. Undefined: it is none of these commands. Nothing is kept of older revisions, so that
 * a compaction frees nothing.
 */
export function runUpkeep(tool: ToolContext, options: Options, command: string): number | undefined {
  const [, second] = options.operands;
  switch (command) {
    case 'defrag':
      tool.out(`Finished defragmenting etcd member[${connect(tool, options)}]. took 102.403ms\n`);
      return 0;
    case 'compact':
    case 'compaction':
      return compact(tool, options, second);
  }
  switch (`${command} ${second ?? ''}`) {
    case 'lease list':
      connect(tool, options);
      tool.out('found 0 leases\n');
      return 0;
    case 'user list':
    case 'role list':
      connect(tool, options);
      return 0;
    case 'auth status':
      connect(tool, options);
      tool.out('Authentication Status: false\nAuthRevision: 1\n');
      return 0;
    default:
      return undefined;
  }
}

function compact(tool: ToolContext, options: Options, given: string | undefined): number {
  if (given === undefined) throw fail('compaction command needs 1 argument');
  if (!/^\d+$/.test(given)) throw fail(`strconv.ParseInt: parsing ${JSON.stringify(given)}: invalid syntax`);
  propose(tool, options, 'KV/Compact');
  if (Number(given) > revisionOf(rowsOf(diskOf(tool.sys))))
    throw fail('etcdserver: mvcc: required revision is a future revision');
  tool.out(`compacted revision ${given}\n`);
  return 0;
}
