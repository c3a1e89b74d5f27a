import { textOf, type Bytes } from '../../../../../engine/kernel/bytes.js';
import type { Connection } from '../../../serve.js';
import { PgFailure } from '../failure.js';
import { fatal, type Server } from './failures.js';
import { hostOf } from './host.js';
import { STEPS, type Client, type Portal } from './own.js';
import { noticesOf } from './queries.js';
import { Message, type Outcome } from './session.js';
import { commandComplete, dataRow, frame, int16, int32, rowDescription, type Reader } from './wire.js';

const MAX_PREPARED = 200;

/** The extended protocol: Parse, Bind, Describe, Execute, Close. */
export function extended(server: Server, connection: Connection, type: string, reader: Reader): void {
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
