import type { Told } from '../broker/control.js';
import { COLUMNS } from './commands.js';

/** What was asked for. */
export type Asked = { command: string; columns: string[]; isQuiet: boolean; hasHeaders: boolean };

const HOW = 'using node hostname resolution';
const REMINDER = "Done. Don't forget to grant the user permissions to some virtual hosts!";

/** What the tool prints of an answer. */
export function format(
  { command, columns, isQuiet, hasHeaders }: Asked,
  node: string,
  rows: NonNullable<Told['rows']>,
): string {
  const shown = COLUMNS[command];
  if (shown !== undefined) {
    if (rows.length === 0) return '';
    const names = columns.length > 0 ? columns : shown;
    const line = (values: readonly unknown[]): string => `${values.join('\t')}\n`;
    const head = hasHeaders ? line(names) : '';
    return head + rows.map((row) => line(names.map((name) => row[name] ?? '[]'))).join('');
  }
  const [first = {}] = rows;
  if (command === 'status') return formatStatus(node, first);
  if (isQuiet) return '';
  const ports = `5672, ${first['management'] ? '15672, ' : ''}25672`;
  const ends: Readonly<Record<string, string>> = {
    add_user: `${REMINDER} See 'rabbitmqctl help set_permissions' to learn more.\n`,
    authenticate_user: 'Success\n',
    delete_queue: `Queue was successfully deleted with ${String(first['count'])} ready messages\n`,
    ping: 'Ping succeeded\n',
    check_running: `RabbitMQ on node ${node} is fully booted and running\n`,
    check_local_alarms: `Node ${node} reported no local alarms\n`,
    check_port_connectivity: `Successfully connected to ports ${ports} on node ${node} (${HOW}).\n`,
    await_startup: `Node ${node} has finished booting\n`,
    cluster_status: `Basics\n\nCluster name: ${node}\n\nDisk Nodes\n\n${node}\n\nRunning Nodes\n\n${node}\n`,
  };
  return ends[command] ?? '';
}

function formatStatus(node: string, row: Readonly<Record<string, unknown>>): string {
  const text = (name: string): string => String(row[name]);
  const plugin = row['management'] ? ' * rabbitmq_management\n' : '';
  return [
    `Runtime\n\nOS PID: ${text('pid')}\nOS: Linux\nUptime (seconds): ${text('uptime')}\nIs under maintenance?: false\n`,
    `RabbitMQ version: ${text('version')}\nNode name: ${node}\n`,
    `\nPlugins\n\nEnabled plugin file: /etc/rabbitmq/enabled_plugins\nEnabled plugins:\n\n${plugin}`,
    `\nData directory\n\nNode data directory: ${text('directory')}\n\nAlarms\n\n(none)\n`,
    `\nTotals\n\nConnection count: ${text('connections')}\nQueue count: ${text('queues')}\n`,
    `Virtual host count: ${text('hosts')}\n\nListeners\n\n`,
    'Interface: [::], port: 25672, protocol: clustering, purpose: inter-node and CLI tool communication\n',
    'Interface: [::], port: 5672, protocol: amqp, purpose: AMQP 0-9-1\n',
    row['management'] ? 'Interface: [::], port: 15672, protocol: http, purpose: HTTP API\n' : '',
  ].join('');
}
