import { bytesOf } from '../../../../engine/kernel/bytes.js';
import type { Options } from '../../framework/options.js';
import type { ToolContext } from '../../framework/tool.js';
import { diskOf } from '../disk.js';
import { connect, EtcdFailure, endpointsOf, propose, STORAGE_VERSION, VERSION, warn, whyNot } from './connect.js';
import { revisionOf, rowsOf } from './keys.js';
import { membershipOf, type Member, type Membership } from './members.js';
import { printTable } from './table.js';

const TOOK = '9.731ms';
/** What a command waits for an answer. */
const TIMEOUT = '5.000931822s';
const NO_ANSWER = 'context deadline exceeded';

/** Models etcdctl member list. */
export function listMembers(tool: ToolContext, options: Options): number {
  propose(tool, options, 'Cluster/MemberList');
  const { members } = membershipOf(tool);
  const rows = members.map(({ id, name, url }) => [id, 'started', name, url.replace(':2379', ':2380'), url, 'false']);
  print(tool, options, ['ID', 'STATUS', 'NAME', 'PEER ADDRS', 'CLIENT ADDRS', 'IS LEARNER'], rows);
  return 0;
}

/** Those of the command line, or with --cluster those of all members. Throws EtcdFailure. */
function askedEndpoints(tool: ToolContext, options: Options): string[] {
  if (!options.has('cluster')) return endpointsOf(tool, options);
  try {
    propose(tool, options, 'Cluster/MemberList');
  } catch (error) {
    if (!(error instanceof EtcdFailure)) throw error;
    throw new EtcdFailure(`Error: failed to fetch endpoints from etcd cluster member list: ${NO_ANSWER}`);
  }
  return membershipOf(tool).members.map(({ url }) => url);
}

/** Each endpoint is to have a proposal of its own committed. Models etcdctl endpoint health. */
export function endpointHealth(tool: ToolContext, options: Options): number {
  const endpoints = askedEndpoints(tool, options);
  const { leader } = membershipOf(tool);
  const rows = endpoints.map((endpoint) => {
    const why = whyNot(tool, options, endpoint) ?? (leader ? undefined : NO_ANSWER);
    if (why !== undefined) warn(tool, endpoint, 'KV/Range', why === NO_ANSWER ? why : `latest balancer error: ${why}`);
    return { endpoint, isHealthy: why === undefined };
  });
  if (options.value('w') === 'table')
    printTable(
      tool,
      ['ENDPOINT', 'HEALTH', 'TOOK', 'ERROR'],
      rows.map(({ endpoint, isHealthy }) =>
        isHealthy ? [endpoint, 'true', TOOK, ''] : [endpoint, 'false', TIMEOUT, NO_ANSWER],
      ),
    );
  else
    for (const { endpoint, isHealthy } of rows)
      if (isHealthy) tool.out(`${endpoint} is healthy: successfully committed proposal: took = ${TOOK}\n`);
      else tool.err(bytesOf(`${endpoint} is unhealthy: failed to commit proposal: ${NO_ANSWER}\n`));
  if (rows.every(({ isHealthy }) => isHealthy)) return 0;
  throw new EtcdFailure('Error: unhealthy cluster');
}

/** Of the database: its file, what of it is used, what is free, and its quota. */
const SIZES = ['8.8 MB', '4.4 MB', '50%', '2.1 GB'];
const STATUS = [
  'ENDPOINT',
  'ID',
  'VERSION',
  'STORAGE VERSION',
  'DB SIZE',
  'IN USE',
  'PERCENTAGE NOT IN USE',
  'QUOTA',
  'IS LEADER',
  'IS LEARNER',
  'RAFT TERM',
  'RAFT INDEX',
  'RAFT APPLIED INDEX',
  'ERRORS',
  'DOWNGRADE TARGET VERSION',
  'DOWNGRADE ENABLED',
];

/** What each endpoint says of itself, which it does without the others. Models etcdctl endpoint status. */
export function endpointStatus(tool: ToolContext, options: Options): number {
  const endpoints = askedEndpoints(tool, options);
  const membership = membershipOf(tool);
  const isAlone = endpoints.length === 1 && whyNot(tool, options, endpoints[0]!) !== undefined;
  // A single endpoint that nobody answers at: the client does not come so far.
  if (isAlone && !options.has('cluster')) connect(tool, options);
  const reached = endpoints.filter((endpoint) => {
    const why = whyNot(tool, options, endpoint);
    if (why === undefined) return true;
    warn(tool, endpoint, 'Maintenance/Status', `latest balancer error: ${why}`);
    tool.err(bytesOf(`Failed to get the status of endpoint ${endpoint} (${NO_ANSWER})\n`));
    return false;
  });
  const revision = String(revisionOf(rowsOf(diskOf(tool.sys))));
  const rows = reached.map((endpoint) => statusRow(endpoint, membership, revision));
  print(tool, options, STATUS, rows);
  return reached.length < endpoints.length ? 1 : 0;
}

function statusRow(endpoint: string, membership: Membership, revision: string): string[] {
  const { leader, term } = membership;
  const { id } = memberAt(endpoint, membership);
  const errors = leader ? '' : 'etcdserver: no leader';
  return [
    endpoint,
    id,
    VERSION,
    STORAGE_VERSION,
    ...SIZES,
    String(id === leader?.id),
    'false',
    String(term),
    revision,
    revision,
    errors,
    '',
    'false',
  ];
}

/** An address that no member advertises is one of the node itself. */
const memberAt = (endpoint: string, { members, own }: Membership): Member =>
  members.find(({ url }) => url === endpoint || url.endsWith(`//${endpoint}`)) ?? own;

function print(tool: ToolContext, options: Options, header: readonly string[], rows: readonly string[][]): void {
  if (options.value('w') === 'table') printTable(tool, header, rows);
  else tool.out(rows.map((row) => `${row.join(', ')}\n`).join(''));
}
