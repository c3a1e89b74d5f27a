import type { Bytes } from '../../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../../engine/kernel/errno.js';
import type { Connection } from '../../../serve.js';
import { answerFinal, answerFirst, makeNonce } from '../../scram.js';
import { versionOf } from '../server-version.js';
import { fatal, type Log, type Server } from './failures.js';
import { readShared } from './files.js';
import type { Client } from './own.js';
import { cstring, errorResponse, frame, int32, Reader, readInt32, readyForQuery } from './wire.js';

const SSL_REQUEST = 80_877_103;
const GSS_REQUEST = 80_877_104;
const CANCEL_REQUEST = 80_877_102;
const PROTOCOL_3 = 3;

/** The first message of a connection: its user, database and settings. Throws FATAL. */
export function startUp(server: Server, connection: Connection, body: Bytes): void {
  const client = connection.own as Client;
  const code = readInt32(body, 0);
  if (code === SSL_REQUEST || code === GSS_REQUEST) {
    connection.unsent += 'N';
    return;
  }
  if (code === CANCEL_REQUEST) {
    connection.closes = true;
    return;
  }
  if (code >> 16 !== PROTOCOL_3)
    throw fatal('0A000', `unsupported frontend protocol ${code >> 16}.${code & 0xffff}: server supports 3.0 to 3.2`);
  const reader = new Reader(body.slice(4));
  const { session } = client;
  for (let i = 0; i < 50 && !reader.isAtEnd; i++) {
    const name = reader.text();
    if (name === '') break;
    const value = reader.text();
    if (name === 'user') session.user = value;
    else if (name === 'database') session.database = value;
    else session.settings[name] = value;
  }
  if (session.user === '') throw fatal('28000', 'no PostgreSQL user name specified in startup packet');
  if (session.database === '') session.database = session.user;
  session.application = session.settings['application_name'] ?? '';
  const isTrusted =
    connection.address.startsWith('127.') ||
    connection.address === '::1' ||
    server.own.settings['host_auth'] === 'trust';
  if (isTrusted || trustsAll(server)) return welcome(server, connection);
  client.phase = 'first';
  connection.unsent += frame('R', `${int32(10)}${cstring('SCRAM-SHA-256')}\0`);
}

/** `host all all all trust` in pg_hba.conf. */
function trustsAll({ sys, own }: Server): boolean {
  const text = readHba(sys, own.data);
  const last = text.split('\n').findLast((line) => /^host\s+all\s+all\s+(?:all|0\.0\.0\.0\/0)\s/.test(line));
  return last?.trim().endsWith('trust') ?? false;
}

function readHba(sys: Server['sys'], data: string): string {
  try {
    const descriptor = sys.open(`${data}/pg_hba.conf`, { read: true });
    const text = sys.read(descriptor, 65_536) ?? '';
    sys.close(descriptor);
    return text;
  } catch (error) {
    if (error instanceof SystemError) return '';
    throw error;
  }
}

/** SCRAM, as pg_hba.conf asks of those who do not come over loopback. Throws FATAL. */
export function authenticate(server: Server, connection: Connection, body: Bytes, log: Log): void {
  const client = connection.own as Client;
  const { sys, own } = server;
  const { user } = client.session;
  const role = readShared(sys, own.data)?.roles.find(({ name }) => name === user);
  const refuse = (detail: string): never => {
    log(server, 'FATAL', `password authentication failed for user "${user}"`, client.pid);
    log(server, 'DETAIL', detail, client.pid);
    connection.unsent += errorResponse(fatal('28P01', `password authentication failed for user "${user}"`));
    connection.closes = true;
    throw new Refused();
  };
  try {
    if (role === undefined) refuse(`Role "${user}" does not exist.`);
    const verifier = role!.password ?? '';
    if (verifier === '') refuse(`User "${user}" has no password assigned.`);
    if (client.phase === 'first') {
      const reader = new Reader(body);
      if (reader.text() !== 'SCRAM-SHA-256')
        throw fatal('08P01', 'client selected an invalid SASL authentication mechanism');
      client.bare = reader.take(reader.int32()).replace(/^[ny],[^,]*,/, '');
      client.serverFirst =
        answerFirst(
          client.bare,
          verifier,
          makeNonce(() => sys.random()),
        ) ?? '';
      sys.charge(2_000);
      client.phase = 'final';
      connection.unsent += frame('R', int32(11) + client.serverFirst);
      return;
    }
    const final = answerFinal(client.bare, client.serverFirst, body, verifier);
    sys.charge(2_000);
    if (final === undefined)
      return void refuse('Connection matched file "pg_hba.conf" line 128: "host all all all scram-sha-256"');
    connection.unsent += frame('R', int32(12) + final);
    welcome(server, connection);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
}

class Refused extends Error {}

/** Throws FATAL when there is no such role or database. */
function welcome(server: Server, connection: Connection): void {
  const client = connection.own as Client;
  const { sys, own, connections } = server;
  const { user, database } = client.session;
  const shared = readShared(sys, own.data);
  const role = shared?.roles.find(({ name }) => name === user);
  if (role === undefined) throw fatal('28000', `role "${user}" does not exist`);
  if (!role.canLogin) throw fatal('28000', `role "${user}" is not permitted to log in`);
  if (!shared!.databases.some(({ name }) => name === database))
    throw fatal('3D000', `database "${database}" does not exist`);
  if (connections.length > Number(own.settings['max_connections'] ?? 100))
    throw fatal('53300', 'sorry, too many clients already');
  client.phase = 'ready';
  const status = (name: string, value: string): Bytes => frame('S', cstring(name) + cstring(value));
  connection.unsent += [
    frame('R', int32(0)),
    status('application_name', client.session.application),
    status('client_encoding', 'UTF8'),
    status('DateStyle', 'ISO, MDY'),
    status('integer_datetimes', 'on'),
    status('is_superuser', role.isSuperuser ? 'on' : 'off'),
    status('server_encoding', 'UTF8'),
    status('server_version', versionOf(sys)),
    status('session_authorization', user),
    status('standard_conforming_strings', 'on'),
    status('TimeZone', 'Etc/UTC'),
    frame('K', int32(client.pid) + int32(Math.floor(sys.random() * 2 ** 31))),
    readyForQuery('I'),
  ].join('');
}
