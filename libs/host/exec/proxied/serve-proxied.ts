import type { IncomingHttpHeaders } from 'node:http';
import { Readable, type Duplex } from 'node:stream';
import type { BodyResponse, ProxiedResponse } from '@terrarium/engine';
import type { ContainerSession } from '../container-session.js';
import { respondOnSocket } from '../../gate/respond-on-socket.js';
import { readAnswer } from './read-answer.js';

/** A page that is longer passes as it is. */
const MAX_PAGE_BYTES = 4 << 20;

/** What a client gets of an answer that came later: a whole body, one that is still coming, or bytes both ways. */
export type Proxied =
  | { readonly type: 'body'; readonly response: BodyResponse }
  | { readonly type: 'stream'; readonly response: BodyResponse; readonly body: Readable }
  | { readonly type: 'upgraded'; join(client: Duplex): void };

/**
 * Waits for the answer of a process of a cluster that `response` has promised. Rejects with ApiError when there is
 * none; the session is the caller's to close.
 */
export async function readProxied(
  response: ProxiedResponse,
  session: ContainerSession,
  method: string,
): Promise<Proxied> {
  const { pending, isUpgrade } = response;
  session.stderr.resume();
  if (pending.unsent !== '') session.stdin.write(Buffer.from(pending.unsent, 'latin1'));
  // Whatever a backend breaks off with, its client is told EOF, as by Go's transport.
  const answer = await readAnswer(session, { method, isUpgrade }).catch(() => undefined);
  if (!answer) throw response.refuse('EOF');
  if (answer.type === 'upgraded') {
    const { head, bytes } = answer;
    return { type: 'upgraded', join: (client) => joinStreams(client, head, bytes, session) };
  }
  const { message } = answer;
  const status = message.statusCode ?? 502;
  const headers = plainHeaders(message.headers);
  // A body that breaks off ends the client's; the caller sees that by the stream.
  message.on('error', () => undefined);
  if (!response.wantsBody(headers))
    return { type: 'stream', response: response.finish({ status, headers }), body: message };
  const page = await readPage(message);
  if ('rest' in page) return { type: 'stream', response: response.finish({ status, headers }), body: page.rest };
  return { type: 'body', response: response.finish({ status, headers, ...page }) };
}

/** Answers a request for an upgrade that was not granted, and closes its connection. */
export async function respondWith(socket: Duplex, found: Exclude<Proxied, { type: 'upgraded' }>): Promise<void> {
  if (found.type === 'body') return respondOnSocket(socket, found.response);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of found.body) {
    length += (chunk as Buffer).length;
    if (length > MAX_PAGE_BYTES) break;
    chunks.push(chunk as Buffer);
  }
  respondOnSocket(socket, { ...found.response, body: Buffer.concat(chunks) });
}

function joinStreams(client: Duplex, head: Buffer, bytes: Duplex, session: ContainerSession): void {
  client.write(head);
  bytes.pipe(client);
  client.pipe(session.stdin);
}

/** One that was sent more than once has its values in lines. */
function plainHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const entries = Object.entries(headers).filter(
    (entry): entry is [string, string | string[]] => entry[1] !== undefined,
  );
  return Object.fromEntries(entries.map(([name, value]) => [name, [value].flat().join('\n')]));
}

type Page = { readonly body: string } | { readonly bytes: string } | { readonly rest: Readable };

async function readPage(message: Readable): Promise<Page> {
  const chunks: Buffer[] = [];
  let length = 0;
  const iterator = message.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  for await (const chunk of iterator) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_PAGE_BYTES) return { rest: Readable.from(goOn(chunks, message)) };
  }
  const all = Buffer.concat(chunks);
  const text = all.toString('utf8');
  return Buffer.from(text).equals(all) ? { body: text } : { bytes: all.toString('latin1') };
}

async function* goOn(chunks: readonly Buffer[], message: Readable): AsyncGenerator<Buffer> {
  yield* chunks;
  for await (const chunk of message) yield chunk as Buffer;
}
