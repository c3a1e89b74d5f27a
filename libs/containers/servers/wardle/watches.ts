import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { Plain } from '../../../engine/kernel/process/program.js';
import type { AppliedChange, WatchResponse } from '../../../engine/machinery/requests/http.js';
import type { HttpReply, HttpRequest } from '../http.js';
import type { Connection, Running } from '../serve.js';
import { bodyOf, NOTHING, serveApi, trusted } from './api.js';
import type { Own } from './own.js';

/** A watch that is open: its request is asked anew for each change. */
export type WatchTask = { phase: 'watch'; until: number };

/** Changes that a watch can begin behind. */
const MAX_CHANGES = 100;

const chunk = (bytes: Bytes): Bytes => `${bytes.length.toString(16)}\r\n${bytes}\r\n`;
const LAST = '0\r\n\r\n';

/** Writes the head and what there is; changes follow as they come. */
export function beginWatch(
  watch: WatchResponse,
  revision: number,
  { query }: HttpRequest,
  { own, sys }: Running<Own>,
  connection: Connection,
): HttpReply {
  const type = String(watch.headers['content-type']);
  const head = `HTTP/1.1 200 OK\r\nCache-Control: no-cache, private\r\nContent-Type: ${type}\r\n`;
  connection.unsent += `${head}Transfer-Encoding: chunked\r\n\r\n`;
  for (const frame of watch.initial) connection.unsent += chunk(bodyOf(frame));
  if (own.since < 0) own.since = revision;
  if (watch.fromRevision < own.since) {
    connection.unsent += chunk(bodyOf(watch.expired(watch.fromRevision, own.since))) + LAST;
    return 'close';
  }
  for (const change of own.changes as unknown as readonly AppliedChange[])
    if (change.revision > watch.fromRevision) connection.unsent += frameOf(watch, change);
  const seconds = Number(query.get('timeoutSeconds')) || watch.timeoutSeconds;
  const task: WatchTask = { phase: 'watch', until: sys.now + seconds * 1_000 };
  return waiting(task, connection);
}

const waiting = (task: WatchTask, { descriptor }: Connection): HttpReply => ({
  task: task as unknown as Plain,
  wait: { readable: [descriptor], until: task.until },
});

/** A watch ends with its time, or with its client. */
export function continueWatch(task: WatchTask, { sys }: Running<Own>, connection: Connection): HttpReply {
  if (sys.read(connection.descriptor) === '') return 'close';
  if (sys.now < task.until) return waiting(task, connection);
  connection.unsent += LAST;
  return 'close';
}

function frameOf(watch: WatchResponse, change: AppliedChange): Bytes {
  if (change.resource !== watch.resource) return '';
  const frame = watch.encode(change);
  return frame === undefined ? '' : chunk(bodyOf(frame));
}

/** Tells the watches of what is stored. */
export function spread(changes: readonly AppliedChange[], server: Running<Own>): void {
  const { own, connections } = server;
  if (own.since < 0) own.since = (changes[0]?.revision ?? 1) - 1;
  own.changes.push(...(changes as unknown as readonly Plain[]));
  for (const dropped of own.changes.splice(0, Math.max(0, own.changes.length - MAX_CHANGES)))
    own.since = (dropped as unknown as AppliedChange).revision;
  for (const connection of connections) {
    const request = watchOf(connection);
    if (!request) continue;
    const outcome = serveApi(trusted(request, connection), NOTHING, '', server.sys.clock, queryOf(request));
    if (outcome.type !== 'watch') continue;
    for (const change of changes) connection.unsent += frameOf(outcome.watch, change);
  }
}

function watchOf({ task, closes }: Connection): HttpRequest | undefined {
  const { task: inner, request } = (task ?? {}) as { task?: Plain; request?: Plain };
  const isWatch = !closes && (inner as WatchTask | null | undefined)?.phase === 'watch';
  return isWatch ? (request as unknown as HttpRequest) : undefined;
}

/** The changes are at hand: where the watch began does not matter any more. */
const queryOf = ({ queryText }: HttpRequest): string =>
  queryText
    .split('&')
    .filter((part) => !/^(?:resourceVersion|resourceVersionMatch|sendInitialEvents)=/.test(part))
    .join('&');
