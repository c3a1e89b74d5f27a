import { SystemError } from '../../../../../engine/kernel/errno.js';
import type { Connection, Running } from '../../../serve.js';
import { PgFailure } from '../failure.js';
import type { Client, Own } from './own.js';
import { errorResponse } from './wire.js';

export type Server = Running<Own>;
export type Log = (server: Server, level: string, text: string, pid?: number) => void;

/** Sends an error; others than PostgreSQL's own are bugs, but those of the disk. */
export function fail(server: Server, connection: Connection, error: unknown, log: Log): void {
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

/** An error that ends its connection. */
export const fatal = (code: string, message: string): PgFailure => new PgFailure(code, message, { severity: 'FATAL' });
