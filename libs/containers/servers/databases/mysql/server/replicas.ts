import type { Connection } from '../../../serve.js';
import { MyFailure } from '../failure.js';
import type { Session } from '../sql/contract.js';
import { applyChange, describeChange, openLink, takeFromSource } from './link.js';
import { readSource } from './source.js';
import { databasesOf, readUsers, SYSTEM, writeUsers, type Client, type Server } from './state.js';
import type { User } from './users.js';
import { packet } from './wire.js';

/** A replica goes on where it was told to: it asks its source for changes. */
export function follow(server: Server): void {
  const { own, sys } = server;
  const source = readSource(sys, own.data);
  const known = server.connections.find((one) => (one.own as Client).phase === 'link');
  if (known !== undefined) {
    if (!source?.isRunning) known.closes = true;
    return;
  }
  if (!source?.isRunning || own.isLocal) return;
  const session: Session = {
    ...{ user: 'system user', host: '', database: '', lastInsertId: 0, block: null, isAutocommit: true },
  };
  const client: Client = { phase: 'link', id: own.nextId++, nonce: '', plugin: '', session };
  const link = openLink(sys, source, client);
  if (link === undefined) server.tickAt(sys.now + source.retry * 1_000);
  else server.connections.push(link);
}

/** What the source has sent. */
export function hear(server: Server, connection: Connection, client: Client): void {
  const { own, sys } = server;
  const source = readSource(sys, own.data);
  if (source === undefined) return void (connection.closes = true);
  takeFromSource(connection, client, source, (change) => {
    const names = databasesOf(server).filter((name) => !SYSTEM.includes(name));
    const users = applyChange(sys, own.data, change, names);
    writeUsers(sys, own.data, JSON.parse(users) as User[]);
    // Replicas of a replica.
    for (const name of databasesOf(server).filter((one) => !SYSTEM.includes(one))) tell(server, name);
  });
}

/** Tells replicas what has changed; of everything when one begins. */
export function tell(server: Server, name?: string, to = server.connections.filter(isReplica)): void {
  if (to.length === 0) return;
  const { sys, own } = server;
  const names = databasesOf(server).filter((one) => !SYSTEM.includes(one));
  const users = JSON.stringify(readUsers(sys, own.data) ?? []);
  const body = describeChange(sys, own.data, names, users, name);
  for (const connection of to) connection.unsent += packet(body, 1);
}

const isReplica = ({ own }: Connection): boolean => (own as Client | null)?.phase === 'dump';

const WRITES = [
  'insert',
  'update',
  'delete',
  'replace',
  'create',
  'drop',
  'alter',
  'truncate',
  'grant',
  'revoke',
  'rename',
];

/** Throws MyFailure: a replica is not written to. */
export function requireWritable({ own }: Server, text: string): void {
  if (own.settings?.['read_only'] !== 'ON') return;
  const [first = ''] = text.trim().toLowerCase().split(/\s+/, 1);
  const option = own.settings['super_read_only'] === 'ON' ? '--super-read-only' : '--read-only';
  if (WRITES.includes(first))
    throw new MyFailure(
      1290,
      'HY000',
      `The MySQL server is running with the ${option} option so it cannot execute this statement`,
    );
}
