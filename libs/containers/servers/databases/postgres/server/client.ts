import type { Bytes } from '../../../../../engine/kernel/bytes.js';
import { textOf } from '../../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../../engine/kernel/errno.js';
import type { Connection, Running } from '../../../serve.js';
import type { Token } from '../../sql/tokens.js';
import type { CopyOptions } from '../copy-format.js';
import {
  addData,
  copyInResponse,
  copyOut,
  formatCopy,
  insertsOf,
  queryOf,
  readCopy,
  readServerFile,
  splitTarget,
  writeServerFile,
} from './copy.js';
import { hostOf } from './host.js';
import { PgFailure } from '../failure.js';
import { readShared } from './files.js';
import type { Client, Own, Portal } from './own.js';
import { answerFinal, answerFirst, makeNonce } from '../../scram.js';
import { Message, type Outcome } from './session.js';
import { versionOf } from '../server-version.js';
import {
  commandComplete,
  cstring,
  dataRow,
  errorResponse,
  frame,
  int16,
  int32,
  Reader,
  readFrame,
  readInt32,
  readyForQuery,
  rowDescription,
} from './wire.js';

type Server = Running<Own>;
export type Log = (server: Server, level: string, text: string, pid?: number) => void;

const SSL_REQUEST = 80_877_103;
const GSS_REQUEST = 80_877_104;
const CANCEL_REQUEST = 80_877_102;
const PROTOCOL_3 = 3;
/** Messages of one connection in one turn. */
const MAX_TURN = 100;
const MAX_PREPARED = 200;
const MAX_UNSENT = 4 << 20;
/** Charged for each thousand operations of SQLite: 10 µs. */
const STEPS = 100;

/** Takes the messages that are whole. */
export function receive(server: Server, connection: Connection, log: Log): void {
  const client = connection.own as Client;
  for (let turn = 0; turn < MAX_TURN && !connection.closes && connection.unsent.length < MAX_UNSENT; turn++) {
    const message = readFrame(connection.received, client.phase !== 'startup');
    if (message === undefined) return;
    if (message === 'bad') {
      log(server, 'LOG', 'invalid length of startup packet', client.pid);
      connection.closes = true;
      return;
    }
    connection.received = connection.received.slice(message.length);
    server.sys.charge(50 + (message.length >> 3));
    try {
      if (client.phase === 'startup') startUp(server, connection, message.body, log);
      else if (client.phase === 'ready') take(server, connection, message.type, message.body, log);
      else authenticate(server, connection, message.body, log);
    } catch (error) {
      fail(server, connection, error, log);
      connection.closes = true;
    }
  }
}

/** Sends an error; others than PostgreSQL's own are bugs, but those of the disk. */
function fail(server: Server, connection: Connection, error: unknown, log: Log): void {
  const client = connection.own as Client;
  const failure =
    error instanceof SystemError ? new PgFailure('58030', `could not write to file "base": ${error.message}`) : error;
  if (!(failure instanceof PgFailure)) throw failure;
  const severity = failure.more.severity ?? 'ERROR';
  const at = failure.more.position === undefined ? '' : ` at character ${failure.more.position}`;
  log(server, severity, `${failure.message}${at}`, client.pid);
  if (failure.more.detail !== undefined) log(server, 'DETAIL', failure.more.detail, client.pid);
  if (failure.more.hint !== undefined) log(server, 'HINT', failure.more.hint, client.pid);
  if (severity === 'ERROR' && client.query !== '') log(server, 'STATEMENT', client.query, client.pid);
  connection.unsent += errorResponse(failure);
}

const fatal = (code: string, message: string): PgFailure => new PgFailure(code, message, { severity: 'FATAL' });

function startUp(server: Server, connection: Connection, body: Bytes, log: Log): void {
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
  void log;
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

function authenticate(server: Server, connection: Connection, body: Bytes, log: Log): void {
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

const statusOf = ({ session: { block } }: Client): 'I' | 'T' | 'E' =>
  block === null ? 'I' : block.hasFailed ? 'E' : 'T';

function take(server: Server, connection: Connection, type: string, body: Bytes, log: Log): void {
  const client = connection.own as Client;
  if (type === 'X') {
    connection.closes = true;
    return;
  }
  if (client.copy !== null) return takeCopy(server, connection, type, body, log);
  if (type === 'Q') {
    client.isSkipping = false;
    query(server, connection, new Reader(body).text(), log);
    // What follows is the data of a COPY: then the query goes on.
    if (client.copy !== null) return;
    connection.unsent += readyForQuery(statusOf(client));
    return;
  }
  if (type === 'S') {
    client.isSkipping = false;
    if (client.session.block === null) client.portals = {};
    connection.unsent += readyForQuery(statusOf(client));
    return;
  }
  if (client.isSkipping || type === 'H') return;
  try {
    extended(server, connection, type, new Reader(body));
  } catch (error) {
    client.isSkipping = true;
    fail(server, connection, error, log);
  }
}

/** A simple query: all statements are one transaction. */
function query(server: Server, connection: Connection, sql: string, log: Log): void {
  const client = connection.own as Client;
  client.query = sql;
  client.state = 'active';
  const message = new Message(client.session, hostOf(server, client));
  try {
    const statements = Message.read(sql);
    if (statements.some(([first]) => first?.key === 'copy')) return copy(server, connection, sql, statements, message);
    if (statements.length === 0) connection.unsent += frame('I', '');
    const parts: Bytes[] = [];
    try {
      for (const tokens of statements) parts.push(formatOutcome(message.run(tokens)));
      message.finish();
    } finally {
      connection.unsent += parts.join('');
    }
  } catch (error) {
    message.abandon();
    fail(server, connection, error, log);
  } finally {
    server.sys.charge(message.spent * STEPS);
    client.state = client.session.block === null ? 'idle' : 'idle in transaction';
  }
}

/** COPY, which is a message of its own. Throws PgFailure. */
function copy(
  server: Server,
  connection: Connection,
  sql: string,
  [tokens = [], ...more]: Token[][],
  message: Message,
): void {
  if (more.length > 0) throw new PgFailure('0A000', 'COPY among other statements of one message is not simulated');
  const client = connection.own as Client;
  const statement = readCopy(sql, tokens);
  const { target, direction, file, options } = statement;
  if (file !== undefined && !isSuperuser(server, client))
    throw new PgFailure('42501', `permission denied to COPY ${direction === 'to' ? 'to' : 'from'} a file`);
  if (direction === 'from') {
    if (client.session.block?.hasFailed) message.run(tokens);
    if (file === undefined) {
      // A table that is not there is told before the client sends anything.
      message.run(Message.read(`SELECT * FROM ${splitTarget(target).table} LIMIT 0`)[0]!);
      message.finish();
      client.copy = { target, options, data: '' };
      connection.unsent += copyInResponse();
      return;
    }
    const count = insertAll(target, options, readServerFile(server.sys, file), message);
    connection.unsent += commandComplete(`COPY ${count}`);
    return;
  }
  const { columns = [], rows = [] } = message.run(Message.read(queryOf(statement))[0] ?? []);
  message.finish();
  const lines = formatCopy(
    columns.map(({ name }) => name),
    rows.map((row) => [...row]),
    options,
  );
  if (file === undefined) connection.unsent += copyOut(columns.length, lines);
  else writeServerFile(server.sys, file, lines.join(''));
  connection.unsent += commandComplete(`COPY ${rows.length}`);
}

const isSuperuser = ({ sys, own }: Server, { session: { user } }: Client): boolean =>
  readShared(sys, own.data)?.roles.some((role) => role.name === user && role.isSuperuser) ?? false;

function insertAll(target: string, options: CopyOptions, data: Bytes, message: Message): number {
  const { sql, count } = insertsOf(target, options, data);
  for (const one of sql) message.run(Message.read(one)[0]!);
  message.finish();
  return count;
}

/** Data of a COPY, their end, or the client's failure. */
function takeCopy(server: Server, connection: Connection, type: string, body: Bytes, log: Log): void {
  const client = connection.own as Client;
  const own = client.copy!;
  const message = new Message(client.session, hostOf(server, client));
  try {
    if (type === 'd') return addData(own, body);
    if (type === 'f') throw new PgFailure('57014', `COPY from stdin failed: ${new Reader(body).text()}`);
    if (type !== 'c') return;
    const count = insertAll(own.target, own.options, own.data, message);
    connection.unsent += commandComplete(`COPY ${count}`);
  } catch (error) {
    message.abandon();
    fail(server, connection, error, log);
    // What the client still sends of it counts for nothing.
    if (type === 'd') return;
  }
  server.sys.charge(message.spent * STEPS);
  client.copy = null;
  client.state = client.session.block === null ? 'idle' : 'idle in transaction';
  connection.unsent += readyForQuery(statusOf(client));
}

const noticesOf = ({ notices }: Outcome): Bytes =>
  notices
    .map(({ severity, code, message }) => errorResponse(new PgFailure(code, message), true, severity as 'ERROR'))
    .join('');

function formatOutcome(outcome: Outcome): Bytes {
  const { columns, rows = [], tag } = outcome;
  const table = columns === undefined ? '' : rowDescription(columns) + rows.map(dataRow).join('');
  return noticesOf(outcome) + table + commandComplete(tag);
}

/** The extended protocol: Parse, Bind, Describe, Execute, Close. */
function extended(server: Server, connection: Connection, type: string, reader: Reader): void {
  const client = connection.own as Client;
  if (type === 'P') {
    const name = reader.text();
    const sql = reader.text();
    const statements = Message.read(sql);
    if (statements.length > 1)
      throw new PgFailure('42601', 'cannot insert multiple commands into a prepared statement');
    if (name !== '' && client.prepared[name] !== undefined)
      throw new PgFailure('42P05', `prepared statement "${name}" already exists`);
    if (Object.keys(client.prepared).length >= MAX_PREPARED)
      throw new PgFailure('53400', 'too many prepared statements');
    const numbers = (statements[0] ?? []).flatMap((token) => (token.type === 'parameter' ? [Number(token.text)] : []));
    client.prepared[name] = { sql, parameters: Math.min(1_000, Math.max(0, ...numbers)) };
    connection.unsent += frame('1', '');
  } else if (type === 'B') bind(client, connection, reader);
  else if (type === 'D') describe(server, connection, reader);
  else if (type === 'E') {
    const portal = portalOf(client, reader.text());
    const most = reader.int32();
    sendRows(connection, runPortal(server, connection, portal), most);
  } else if (type === 'C') {
    const kind = reader.take(1);
    const name = reader.text();
    delete (kind === 'S' ? client.prepared : client.portals)[name];
    connection.unsent += frame('3', '');
  } else throw fatal('08P01', `invalid frontend message type ${type.charCodeAt(0)}`);
}

function preparedOf({ prepared }: Client, name: string): Client['prepared'][string] {
  const found = Object.hasOwn(prepared, name) ? prepared[name] : undefined;
  if (found) return found;
  throw new PgFailure(
    '26000',
    name === '' ? 'unnamed prepared statement does not exist' : `prepared statement "${name}" does not exist`,
  );
}

function portalOf({ portals }: Client, name: string): Portal {
  const found = Object.hasOwn(portals, name) ? portals[name] : undefined;
  if (found) return found;
  throw new PgFailure('34000', `portal "${name}" does not exist`);
}

function bind(client: Client, connection: Connection, reader: Reader): void {
  const portal = reader.text();
  const { sql, parameters } = preparedOf(client, reader.text());
  const formats = Array.from({ length: reader.int16() }, () => reader.int16());
  const count = reader.int16();
  if (count !== parameters)
    throw new PgFailure(
      '08P01',
      `bind message supplies ${count} parameters, but prepared statement "" requires ${parameters}`,
    );
  const values = Array.from({ length: count }, (_one, i): string | null => {
    const length = reader.int32();
    if (length < 0) return null;
    const bytes = reader.take(length);
    return (formats[i] ?? formats[0]) === 1 && formats.length > 0 ? readBinary(bytes) : textOf(bytes);
  });
  const results = Array.from({ length: reader.int16() }, () => reader.int16());
  if (results.includes(1)) throw new PgFailure('0A000', 'results in binary format are not supported');
  client.portals[portal] = { sql, values, result: null };
  connection.unsent += frame('2', '');
}

/** Integers in network order; other types are sent as text by all clients that were looked at. */
function readBinary(bytes: Bytes): string {
  if (bytes.length !== 2 && bytes.length !== 4 && bytes.length !== 8)
    throw new PgFailure('0A000', 'parameters in this binary format are not supported');
  let value = 0n;
  for (const character of bytes) value = (value << 8n) | BigInt(character.charCodeAt(0));
  return String(BigInt.asIntN(bytes.length * 8, value));
}

function runPortal(server: Server, connection: Connection, portal: Portal): NonNullable<Portal['result']> {
  if (portal.result !== null) return portal.result;
  const client = connection.own as Client;
  client.query = portal.sql;
  const message = new Message(client.session, hostOf(server, client));
  try {
    const [tokens] = Message.read(portal.sql);
    const outcome: Outcome = tokens ? message.run(tokens, portal.values) : { tag: '', notices: [] };
    message.finish();
    connection.unsent += noticesOf(outcome);
    const { columns, rows = [], tag } = outcome;
    portal.result = {
      columns: columns?.map((one) => ({ ...one })) ?? null,
      rows: rows.map((row) => [...row]),
      tag,
      at: 0,
    };
    return portal.result;
  } catch (error) {
    message.abandon();
    throw error;
  } finally {
    server.sys.charge(message.spent * STEPS);
  }
}

function describe(server: Server, connection: Connection, reader: Reader): void {
  const client = connection.own as Client;
  const kind = reader.take(1);
  const name = reader.text();
  if (kind === 'S') {
    const { sql, parameters } = preparedOf(client, name);
    connection.unsent += frame('t', int16(parameters) + int32(25).repeat(parameters));
    const [first] = Message.read(sql)[0] ?? [];
    // A query can be run to see what it gives: it changes nothing.
    if (!['select', 'values', 'with', 'show'].includes(first?.key ?? '')) connection.unsent += frame('n', '');
    else
      describeRows(
        connection,
        runPortal(server, connection, { sql, values: Array<null>(parameters).fill(null), result: null }),
      );
  } else describeRows(connection, runPortal(server, connection, portalOf(client, name)));
}

function describeRows(connection: Connection, { columns }: NonNullable<Portal['result']>): void {
  connection.unsent += columns === null ? frame('n', '') : rowDescription(columns);
}

function sendRows(connection: Connection, result: NonNullable<Portal['result']>, most: number): void {
  if (result.tag === '') {
    connection.unsent += frame('I', '');
    return;
  }
  const to = most > 0 ? Math.min(result.rows.length, result.at + most) : result.rows.length;
  connection.unsent += result.rows.slice(result.at, to).map(dataRow).join('');
  result.at = to;
  connection.unsent += to < result.rows.length ? frame('s', '') : commandComplete(result.tag);
}
