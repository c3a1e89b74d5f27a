import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Running } from '../../serve.js';
import { readInteger, SYNTAX, type Blocking, type CommandContext, type Commands } from '../commands/command.js';
import { log } from '../log.js';
import type { Own } from '../own.js';
import { array, bulk, CommandFailure, integer, OK, simple } from '../resp.js';
import { formatSnapshot } from '../snapshot.js';
import { clientOf, leaveMaster, linkOf, masterOf, NO_ID, replicasOf } from './state.js';

const ID_DIGITS = 40;

/** The name of this server's history of data. */
function makeId({ own, sys }: Running<Own>): void {
  const digits = Array.from({ length: ID_DIGITS }, () => Math.floor(sys.random() * 16).toString(16));
  own.replication.id = digits.join('');
}

/** REPLCONF: what a replica tells of itself. An acknowledgement has no answer. */
function configureReplica({ server, connection, args }: CommandContext): Bytes {
  const client = clientOf(connection);
  const [word = '', value = ''] = args;
  if (word.toLowerCase() === 'ack') {
    if (client.replica !== null) client.replica.acked = Number(value) || 0;
    server.own.replication.acks++;
    return '';
  }
  if (word.toLowerCase() === 'listening-port') client.replica = { port: readInteger(value), acked: 0, isOnline: false };
  return OK;
}

/** PSYNC: all data, and from then on the stream of commands. Left out: partial resynchronization. */
function synchronize({ server, connection }: CommandContext): Bytes {
  const { own } = server;
  const client = clientOf(connection);
  if (masterOf(own) !== undefined && clientOf(linkOf(server.connections) ?? connection).master?.stage !== 'online')
    throw new CommandFailure("NOMASTERLINK Can't SYNC while not connected with my master");
  client.replica ??= { port: 6_379, acked: 0, isOnline: false };
  const name = `${connection.address}:${client.replica.port}`;
  log(server, '*', `Replica ${name} asks for synchronization`);
  log(server, '*', `Full resync requested by replica ${name}`);
  if (own.replication.id === '') {
    makeId(server);
    const ids = `'${own.replication.id}' and '${NO_ID}'`;
    log(server, '*', `Replication backlog created, my new replication IDs are ${ids}`);
  }
  const { id, offset } = own.replication;
  Object.assign(client.replica, { isOnline: true, acked: offset });
  log(server, '*', `Synchronization with replica ${name} succeeded`);
  return `+FULLRESYNC ${id} ${offset}\r\n${bulk(formatSnapshot(own))}`;
}

function follow({ server, connection, args }: CommandContext): Bytes {
  const { own, sys } = server;
  const [host = '', port = ''] = args;
  const user = `user request from 'id=${own.connections} addr=${connection.address}:${connection.remotePort}'`;
  if (host.toLowerCase() === 'no' && port.toLowerCase() === 'one') {
    if (masterOf(own) === undefined) return OK;
    leaveMaster(server.connections);
    own.configuration['replicaof'] = '';
    Object.assign(own.replication, { retryAt: null, tries: 0, downSince: null });
    makeId(server);
    log(server, '*', `MASTER MODE enabled (${user})`);
    return OK;
  }
  const number = readInteger(port);
  if (number < 0 || number > 65_535) throw new CommandFailure('ERR Invalid master port');
  const known = masterOf(own);
  if (known?.host === host && known.port === number) return simple('OK Already connected to specified master');
  leaveMaster(server.connections);
  own.configuration['replicaof'] = `${host} ${number}`;
  for (const replica of replicasOf(server.connections)) replica.closes = true;
  Object.assign(own.replication, { retryAt: sys.now, tries: 0, downSince: sys.now });
  log(server, '*', `REPLICAOF ${host}:${number} enabled (${user})`);
  server.tickAt(sys.now);
  return OK;
}

const LINKS: Readonly<Record<string, string>> = { online: 'connected', snapshot: 'sync', connecting: 'connecting' };

function tellRole({ server }: CommandContext): Bytes {
  const { own, connections } = server;
  const { offset } = own.replication;
  const master = masterOf(own);
  if (master !== undefined) {
    const link = linkOf(connections);
    const stage = link === undefined ? 'connect' : (LINKS[clientOf(link).master!.stage] ?? 'connecting');
    return array([bulk('slave'), bulk(master.host), integer(master.port), bulk(stage), integer(offset)]);
  }
  const rows = replicasOf(connections).map((one) => {
    const { port, acked } = clientOf(one).replica!;
    return array([bulk(one.address), bulk(String(port)), bulk(String(acked))]);
  });
  return array([bulk('master'), integer(offset), array(rows)]);
}

/** WAIT: until so many replicas have what was written before. */
function wait({ server, args, now }: CommandContext): Bytes | Blocking {
  const { own, connections } = server;
  if (masterOf(own) !== undefined)
    throw new CommandFailure(
      'ERR WAIT cannot be used with replica instances. Please also note that writes to replicas are just local and are not propagated.',
    );
  const wanted = readInteger(args[0]!);
  const timeout = readInteger(args[1]!);
  if (timeout < 0) throw new CommandFailure('ERR timeout is negative');
  const count = replicasOf(connections).filter((one) => clientOf(one).replica!.acked >= own.replication.offset).length;
  if (count >= wanted) return integer(count);
  return { blockUntil: timeout === 0 ? null : now + timeout, late: integer(count) };
}

/** A replica's link: its master's own words, and what clients ask of it. */
export const replicationCommands: Commands = {
  replconf: { arity: -1, run: configureReplica },
  psync: { arity: -3, run: synchronize },
  replicaof: { arity: 3, run: follow },
  slaveof: { arity: 3, run: follow },
  role: { arity: 1, run: tellRole },
  wait: { arity: 3, run: wait },
  failover: {
    arity: -1,
    run: () => {
      throw new CommandFailure(`${SYNTAX}: FAILOVER is not simulated`);
    },
  },
};
