import type { Bytes } from '../../../../../engine/kernel/bytes.js';
import type { Connection } from '../../../serve.js';
import type { Token } from '../../sql/tokens.js';
import type { CopyOptions } from '../copy-format.js';
import { PgFailure } from '../failure.js';
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
import { fail, type Log, type Server } from './failures.js';
import { readShared } from './files.js';
import { hostOf } from './host.js';
import { statusOf, STEPS, type Client } from './own.js';
import { Message, type Outcome } from './session.js';
import { commandComplete, dataRow, errorResponse, frame, Reader, readyForQuery, rowDescription } from './wire.js';

/** A simple query: all statements are one transaction. */
export function query(server: Server, connection: Connection, sql: string, log: Log): void {
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
export function takeCopy(server: Server, connection: Connection, type: string, body: Bytes, log: Log): void {
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

/** What a statement told beside its result. */
export const noticesOf = ({ notices }: Outcome): Bytes =>
  notices
    .map(({ severity, code, message }) => errorResponse(new PgFailure(code, message), true, severity as 'ERROR'))
    .join('');

function formatOutcome(outcome: Outcome): Bytes {
  const { columns, rows = [], tag } = outcome;
  const table = columns === undefined ? '' : rowDescription(columns) + rows.map(dataRow).join('');
  return noticesOf(outcome) + table + commandComplete(tag);
}
