import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Connection } from '../../serve.js';
import type { Client, Own } from '../own.js';

export const NO_ID = '0'.repeat(40);

export const clientOf = ({ own }: Connection): Client => own as Client;

/** The master's host and port; undefined: this is one itself. */
export function masterOf({ configuration }: Own): { readonly host: Bytes; readonly port: number } | undefined {
  const [host = '', port = '6379'] = (configuration['replicaof'] ?? '').split(' ');
  return host === '' ? undefined : { host, port: Number(port) };
}

export const linkOf = (connections: readonly Connection[]): Connection | undefined =>
  connections.find((one) => clientOf(one).master !== null && !one.closes);

export const replicasOf = (connections: readonly Connection[]): Connection[] =>
  connections.filter((one) => clientOf(one).replica?.isOnline === true);

/** The link is closed because the server has another master, or none. */
export function leaveMaster(connections: readonly Connection[]): void {
  for (const connection of connections) {
    const client = clientOf(connection);
    if (client.master === null) continue;
    connection.closes = true;
    connection.task = null;
  }
}
