import http from 'node:http';
import { text } from 'node:stream/consumers';
import type { Duplex } from 'node:stream';
import type { PodHttpAnswer, PodHttpRequest } from '@terrarium/engine';

/** Sends one request to the server behind the bytes. */
export type SendHttp = (request: PodHttpRequest) => Promise<PodHttpAnswer | { readonly error: string }>;

const MAX_BODY_BYTES = 4 * 1024 * 1024;
const BODILESS: ReadonlySet<number> = new Set([204, 304]);
/** Headers that belong to one connection, or that are written anew. */
const OWN_HEADERS = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding']);

/**
 * Serves HTTP/1.1 on connections whose requests another server answers. Node.js parses and frames: requests that follow
 * each other, chunks, HEAD, Expect. One per pod and port, and no socket of its own.
 */
export class HttpOnBytes {
  private readonly server: http.Server;
  /** The last request of each connection. */
  private readonly lastOf = new WeakMap<Duplex, Promise<void>>();

  constructor(
    private readonly port: number,
    private readonly send: SendHttp,
  ) {
    this.server = http.createServer((request, response) => {
      const before = this.lastOf.get(request.socket);
      // The client sees a closed connection, as of a server that has crashed.
      const serving = this.serve(request, response, before).catch(() => void response.destroy());
      this.lastOf.set(request.socket, serving);
    });
    this.server.on('clientError', (_error, socket) => socket.destroy());
  }

  serveOn(connection: Duplex): void {
    this.server.emit('connection', connection);
  }

  /** `before`: the connection's request before this one, whose answer comes first. */
  private async serve(
    request: http.IncomingMessage,
    response: http.ServerResponse,
    before: Promise<void> | undefined,
  ): Promise<void> {
    let received = 0;
    request.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received > MAX_BODY_BYTES) request.destroy();
    });
    const body = await text(request);
    await before;
    const answer = await this.send({
      scheme: 'http',
      port: this.port,
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      headers: singleHeaders(request.headers),
      body,
    });
    // As a server that closes the connection without an answer.
    if ('error' in answer) return void response.destroy();
    response.sendDate = false;
    for (const [name, value] of Object.entries(answer.headers ?? {}))
      if (!OWN_HEADERS.has(name.toLowerCase())) response.setHeader(name, value);
    const bytes = Buffer.from(answer.body ?? '');
    response.statusCode = answer.status;
    if (!BODILESS.has(answer.status)) response.setHeader('content-length', bytes.length);
    response.end(request.method === 'HEAD' ? undefined : bytes);
  }
}

function singleHeaders(headers: http.IncomingHttpHeaders): Record<string, string> {
  const entries = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}
