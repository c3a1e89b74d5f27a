import type { Socket } from 'node:net';
import { ApiError } from '@terrarium/engine';
import { respondOnSocket, statusResponse } from '@terrarium/host';
import type { FastifyReply } from 'fastify';

/** As Go's servers: the request's line and headers together. */
const MAX_HEADER_BYTES = 1024 * 1024;
const HEADERS_TIMEOUT_MS = 32_000;
/** Until a request's body must be here. */
const REQUEST_TIMEOUT_MS = 60_000;
const CHECK_MS = 5_000;
/** Longer than load balancers and clients keep an idle connection: a server that ends one first resets a request. */
const KEEP_ALIVE_MS = 75_000;

/** Options of every HTTP server that clients reach; the times are kube-apiserver's. */
export const SERVER_LIMITS = {
  maxHeaderSize: MAX_HEADER_BYTES,
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  connectionsCheckingInterval: CHECK_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
};

const CODES: Readonly<Record<string, readonly [code: number, reason: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, '', 'Request Header Fields Too Large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'RequestEntityTooLarge', 'Request entity too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Timeout', 'the request was not received in time'],
  FST_ERR_MAX_PARAM_LENGTH: [414, '', 'URI Too Long'],
};

const toStatusError = (code: string | undefined): ApiError =>
  new ApiError(...(CODES[code ?? ''] ?? ([400, 'BadRequest', 'Bad Request'] as const)));

/** Answers bytes that are no HTTP, and ends the connection: nothing more can be read from it. */
export function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  socket.on('finish', () => socket.destroy());
  respondOnSocket(socket, statusResponse(toStatusError(error.code)));
}

/** Answers a request whose URL leads to no route because it cannot be read. */
export function refuseUrl(error: { code?: string }, _request: unknown, reply: FastifyReply): void {
  const { status, headers, body } = statusResponse(toStatusError(error.code));
  void reply
    .code(status)
    .headers(headers as Record<string, string>)
    .send(body);
}
