import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '@terrarium/engine';
import type { FastifyReply } from 'fastify';

/** As Go's servers: the request's line and headers together. */
const MAX_HEADER_BYTES = 1024 * 1024;
const HEADERS_TIMEOUT_MS = 32_000;
/** Until a request's body must be here. */
const REQUEST_TIMEOUT_MS = 60_000;
const CHECK_MS = 5_000;

/** Options of every HTTP server that clients reach; the times are kube-apiserver's. */
export const SERVER_LIMITS = {
  maxHeaderSize: MAX_HEADER_BYTES,
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  connectionsCheckingInterval: CHECK_MS,
};

const CODES: Readonly<Record<string, readonly [code: number, reason: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, '', 'Request Header Fields Too Large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'RequestEntityTooLarge', 'Request entity too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Timeout', 'the request was not received in time'],
  FST_ERR_MAX_PARAM_LENGTH: [414, '', 'URI Too Long'],
};

const statusFor = (code: string | undefined): ApiError =>
  new ApiError(...(CODES[code ?? ''] ?? ([400, 'BadRequest', 'Bad Request'] as const)));

/** Answers what is not HTTP, on a connection of which nothing more can be read. */
export function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = statusFor(error.code);
  const body = `${JSON.stringify(status.toStatus())}\n`;
  socket.end(
    `HTTP/1.1 ${status.code} ${STATUS_CODES[status.code]}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

/** Answers a request whose URL leads to no route because it cannot be read. */
export function refuseUrl(error: { code?: string }, _request: unknown, reply: FastifyReply): void {
  const status = statusFor(error.code);
  void reply
    .code(status.code)
    .header('content-type', 'application/json')
    .send(`${JSON.stringify(status.toStatus())}\n`);
}
