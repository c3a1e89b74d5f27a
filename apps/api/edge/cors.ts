import type { IncomingMessage } from 'node:http';
import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const EXPOSED_HEADERS = ['Audit-Id', 'Retry-After', 'Warning', 'X-Request-Id'];
const PREFLIGHT_SECONDS = 600;

/** The origins whose pages may call the API. */
export type AllowedOrigins = ReadonlySet<string>;

export const isAllowedOrigin = (allowed: AllowedOrigins, origin: string | undefined): boolean =>
  origin !== undefined && (allowed.has('*') || allowed.has(origin));

/**
 * Lets pages of these origins call every edge of HTTP, and answers their preflights, which carry no key. Keys and
 * tokens are in a header that a page sets by itself: no credentials of the browser are allowed. Await it before other
 * hooks are added: a refusal of theirs must be readable by the page too.
 */
export async function serveCors(fastify: FastifyInstance, allowed: AllowedOrigins): Promise<void> {
  if (allowed.size === 0) return;
  await fastify.register(cors, {
    origin: (origin, done) => done(null, isAllowedOrigin(allowed, origin) ? (origin ?? false) : false),
    methods: METHODS,
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_SECONDS,
  });
}

/**
 * A WebSocket has no preflight: its Origin is checked here. Clients that are no browsers send none, that of the server
 * itself, or any (Go's x/net/websocket) beside an Authorization header, which no page can send with a WebSocket.
 */
export function mayUpgradeFrom({ headers }: Pick<IncomingMessage, 'headers'>, allowed: AllowedOrigins): boolean {
  const { origin, host, authorization } = headers;
  if (origin === undefined || authorization !== undefined || isAllowedOrigin(allowed, origin)) return true;
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}
