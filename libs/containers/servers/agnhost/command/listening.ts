import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import type { Running } from '../../serve.js';
import { fatal } from './command.js';

/** What a small server keeps. */
export type Own = { argv: Bytes[]; startedAt: number; mark: string };

/** Until a process listens. */
const READY_MS = 50;

export const newServer = (argv: readonly Bytes[]): Own => ({ argv: [...argv], startedAt: 0, mark: '' });

/** Begins to listen a while after the start, as a process needs it. */
export function beginListening(server: Running<Own>): void {
  server.own.startedAt = server.sys.now;
  server.tickAt(server.sys.now + READY_MS);
}

/** Go's net.Listen, and log.Fatal when it fails. */
export function listenOrFail(server: Running<Own>, port: number): void {
  try {
    server.listen(port);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    fatal(server, `listen tcp :${port}: bind: ${error.message.toLowerCase()}`);
  }
}
