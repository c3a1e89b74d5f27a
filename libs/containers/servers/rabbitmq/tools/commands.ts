import type { Bytes } from '../../../../engine/kernel/bytes.js';

const PINGING = 'Will ping NODE. This only checks if the OS process is running and registered with epmd.';
const TESTING = 'Testing TCP connections to all active listeners on node NODE';

/** Commands with the fewest words that they want, and what they say that they do. */
export const COMMANDS: Readonly<
  Record<string, readonly [least: number, says: (args: readonly Bytes[], host: Bytes) => string]>
> = {
  status: [0, () => 'Status of node NODE ...'],
  cluster_status: [0, () => 'Cluster status of node NODE ...'],
  list_queues: [0, (_args, host) => `Listing queues for vhost ${host} ...`],
  list_exchanges: [0, (_args, host) => `Listing exchanges for vhost ${host} ...`],
  list_bindings: [0, (_args, host) => `Listing bindings for vhost ${host} ...`],
  list_consumers: [0, (_args, host) => `Listing consumers in vhost ${host} ...`],
  list_connections: [0, () => 'Listing connections ...'],
  list_permissions: [0, (_args, host) => `Listing permissions for vhost "${host}" ...`],
  list_users: [0, () => 'Listing users ...'],
  list_vhosts: [0, () => 'Listing vhosts ...'],
  add_user: [2, ([name]) => `Adding user "${name}" ...`],
  delete_user: [1, ([name]) => `Deleting user "${name}" ...`],
  change_password: [2, ([name]) => `Changing password for user "${name}" ...`],
  authenticate_user: [2, ([name]) => `Authenticating user "${name}" ...`],
  set_user_tags: [1, ([name, ...tags]) => `Setting tags for user "${name}" to [${tags.join(', ')}] ...`],
  set_permissions: [4, ([name], host) => `Setting permissions for user "${name}" in vhost "${host}" ...`],
  clear_permissions: [1, ([name], host) => `Clearing permissions for user "${name}" in vhost "${host}" ...`],
  add_vhost: [1, ([name]) => `Adding vhost "${name}" ...`],
  delete_vhost: [1, ([name]) => `Deleting vhost "${name}" ...`],
  purge_queue: [1, ([name], host) => `Purging queue '${name}' in vhost '${host}' ...`],
  delete_queue: [1, ([name], host) => `Deleting queue '${name}' on vhost '${host}' ...`],
  ping: [0, () => `${PINGING} Timeout: 60000 ms.`],
  check_running: [0, () => 'Checking if RabbitMQ is running on node NODE ...'],
  check_local_alarms: [0, () => 'Asking node NODE to report any local resource alarm ...'],
  check_port_connectivity: [0, () => `${TESTING} using hostname resolution ...`],
  await_startup: [0, () => 'Awaiting startup of node NODE ...'],
};
export const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  ...{
    list_queues: ['name', 'messages'],
    list_exchanges: ['name', 'type'],
    list_users: ['user', 'tags'],
    list_vhosts: ['name'],
  },
  list_bindings: ['source_name', 'source_kind', 'destination_name', 'destination_kind', 'routing_key', 'arguments'],
  list_consumers: ['queue_name', 'consumer_tag', 'ack_required', 'prefetch_count', 'active'],
  list_connections: ['user', 'peer_host', 'peer_port', 'state'],
  list_permissions: ['user', 'configure', 'write', 'read'],
};

const REASONS = [
  'Target node is unreachable (e.g. due to hostname resolution, TCP connection or firewall issues)',
  "CLI tool fails to authenticate with the server (e.g. due to CLI tool's Erlang cookie not matching " +
    'that of the server)',
  'Target node is not running',
];

export const explainUnreachable = (node: string): string =>
  `Error: unable to perform an operation on node '${node}'. Please see diagnostics information and suggestions ` +
  `below.\n\nMost common reasons for this are:\n\n${REASONS.map((reason) => ` * ${reason}\n`).join('')}`;
