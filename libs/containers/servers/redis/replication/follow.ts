import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import { connectError } from '../../dial.js';
import { lookUp } from '../../lookup.js';
import type { Connection, Running } from '../../serve.js';
import { newClient } from '../client.js';
import { measure } from '../database.js';
import { log } from '../log.js';
import type { Own } from '../own.js';
import { CommandFailure, formatCommand } from '../resp.js';
import { parseSnapshot } from '../snapshot.js';
import { applyStream } from './apply.js';
import type { MasterLink } from './link.js';
import { linkOf, masterOf } from './state.js';

type Server = Running<Own>;

const RETRY_MS = 1_000;
/** So many times it asks once a second, as a real one always does; then less often, up to once a minute. */
const QUICK_TRIES = 60;
const SLOW_RETRY_MS = 60_000;
const CONNECT_MS = 60_000;

/** Connects to the master when it is time. Models replicationCron and connectWithMaster. */
export function follow(server: Server): void {
  const { own, sys, connections } = server;
  const master = masterOf(own);
  const { replication } = own;
  if (master === undefined || linkOf(connections) !== undefined) return;
  if (replication.retryAt !== null && sys.now < replication.retryAt) return;
  replication.downSince ??= sys.now;
  retryLater(server);
  log(server, '*', `Connecting to MASTER ${master.host}:${master.port}`);
  const address = lookUp(sys, master.host).addresses[0];
  if (address === undefined) return log(server, '#', 'Unable to connect to MASTER: Resource temporarily unavailable');
  try {
    const descriptor = sys.connect(address, master.port);
    const client = newClient();
    client.isAuthenticated = true;
    client.master = { stage: 'connecting', left: 0, text: '', lastAt: sys.now };
    connections.push({
      ...{ descriptor, port: 0, protocol: 'tcp', address, remotePort: master.port, received: '', unsent: '' },
      ...{ isEnded: false, closes: false, file: null, task: { words: null, until: null }, own: client },
      wait: { writable: [descriptor], until: sys.now + CONNECT_MS },
    });
    log(server, '*', 'MASTER <-> REPLICA sync started');
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    log(server, '#', `Unable to connect to MASTER: ${error.message}`);
  }
}

export function retryLater({ own, sys }: Server): void {
  const { replication } = own;
  replication.tries++;
  replication.retryAt = sys.now + (replication.tries <= QUICK_TRIES ? RETRY_MS : SLOW_RETRY_MS);
}

/** The link to the master is being made. */
export function finishConnecting(server: Server, connection: Connection, link: MasterLink): void {
  const code = connectError(server.sys, connection.descriptor);
  if (code === 'EAGAIN') return;
  connection.task = null;
  connection.wait = {};
  if (code !== undefined) {
    log(server, '#', `Error condition on socket for SYNC: ${new SystemError(code).message}`);
    connection.closes = true;
    return;
  }
  log(server, '*', 'Non blocking connect for SYNC fired the event.');
  link.stage = 'ping';
  connection.unsent += formatCommand(['PING']);
}

/** Takes what the master has sent. */
export function takeFromMaster(server: Server, connection: Connection, link: MasterLink): void {
  link.lastAt = server.sys.now;
  while (!connection.closes) {
    if (link.stage === 'snapshot') {
      if (!takeSnapshot(server, connection, link)) return;
    } else if (link.stage === 'online') {
      const before = connection.received.length;
      try {
        applyStream(server, connection);
      } catch (error) {
        if (!(error instanceof CommandFailure)) throw error;
        connection.closes = true;
      }
      const taken = before - connection.received.length;
      if (taken === 0) return;
      connection.unsent += formatCommand(['REPLCONF', 'ACK', String(server.own.replication.offset)]);
      return;
    } else if (!takeLine(server, connection, link)) return;
  }
}

/** One line of the handshake. False: it has not come yet. */
function takeLine(server: Server, connection: Connection, link: MasterLink): boolean {
  const end = connection.received.indexOf('\r\n');
  if (end < 0) return false;
  const line = connection.received.slice(0, end);
  connection.received = connection.received.slice(end + 2);
  const { own } = server;
  if (link.stage === 'ping') {
    if (line.startsWith('-') && !/^-(?:NOAUTH|NOPERM)/.test(line))
      return giveUp(server, connection, `Error reply to PING from master: '${line}'`);
    log(server, '*', 'Master replied to PING, replication can continue...');
    const secret = own.configuration['masterauth'] ?? '';
    link.stage = secret === '' ? 'port' : 'auth';
    if (secret !== '') connection.unsent += formatCommand(['AUTH', secret]);
    connection.unsent += formatCommand(['REPLCONF', 'listening-port', own.configuration['port'] ?? '6379']);
    connection.unsent += formatCommand(['PSYNC', '?', '-1']);
  } else if (link.stage === 'auth') {
    if (line.startsWith('-')) return giveUp(server, connection, `Unable to AUTH to MASTER: ${line}`);
    link.stage = 'port';
  } else if (link.stage === 'port') {
    if (line.startsWith('-'))
      log(server, '*', `(Non critical) Master does not understand REPLCONF listening-port: ${line}`);
    else log(server, '*', 'Partial resynchronization not possible (no cached master)');
    link.stage = 'psync';
  } else if (line.startsWith('+FULLRESYNC ')) {
    const [, id = '', offset = '0'] = line.split(' ');
    log(server, '*', `Full resync from master: ${id}:${offset}`);
    Object.assign(own.replication, { id, offset: Number(offset) });
  } else if (line.startsWith('$')) {
    Object.assign(link, { stage: 'snapshot', left: Number(line.slice(1)) + 2, text: '' });
    log(server, '*', `MASTER <-> REPLICA sync: receiving ${line.slice(1)} bytes from master to disk`);
  } else return giveUp(server, connection, `Unexpected reply to PSYNC from master: ${line}`);
  return true;
}

function giveUp(server: Server, connection: Connection, why: Bytes): false {
  log(server, '#', why);
  connection.closes = true;
  return false;
}

/** False: it is not whole yet. */
function takeSnapshot(server: Server, connection: Connection, link: MasterLink): boolean {
  const { own } = server;
  const part = connection.received.slice(0, link.left);
  connection.received = connection.received.slice(part.length);
  link.text += part;
  link.left -= part.length;
  if (link.left > 0) return false;
  const databases = parseSnapshot(link.text.slice(0, -2));
  link.text = '';
  if (databases === 'bad') return giveUp(server, connection, 'Failed trying to load the MASTER synchronization DB');
  log(server, '*', 'MASTER <-> REPLICA sync: Flushing old data');
  log(server, '*', 'MASTER <-> REPLICA sync: Loading DB in memory');
  own.databases.forEach((_, i) => (own.databases[i] = databases[i] ?? {}));
  own.bytes = measure(own.databases);
  own.dirty++;
  own.rewrites = true;
  log(server, '*', 'MASTER <-> REPLICA sync: Finished with success');
  link.stage = 'online';
  Object.assign(own.replication, { tries: 0, downSince: null });
  connection.unsent += formatCommand(['REPLCONF', 'ACK', String(own.replication.offset)]);
  return true;
}

/** The link has ended: it is asked for again. */
export function loseMaster(server: Server, link: MasterLink): void {
  const { own, sys } = server;
  if (masterOf(own) === undefined) return;
  if (link.stage === 'online') {
    log(server, '*', 'Connection with master lost.');
    log(server, '*', 'Caching the disconnected master state.');
    own.replication.retryAt = sys.now + RETRY_MS;
  }
  own.replication.downSince ??= sys.now;
  if (own.replication.retryAt === null || own.replication.retryAt <= sys.now) retryLater(server);
  server.tickAt(own.replication.retryAt!);
}
