import crypto from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ConsoleFiles } from './console-files.js';

const NONCE_BYTES = 18;
/** Stands in the page for the nonce of its styles, which is another one each time. */
const NONCE = '__NONCE__';
const YEAR = 31_536_000;
const NOT_BUILT = 'The console is not built here: npm run build.\n';

/** What the console's own router takes; nothing else is served as the page. */
const PAGES = ['/', '/c/:id', '/c/:id/*', '/operator', '/operator/*', '/labs', '/labs/*', '/settings'];
const EMBEDDED = ['/embed', '/embed/*'];
export const CONSOLE_ROUTES: readonly string[] = [...PAGES, ...EMBEDDED, '/assets/:name'];

/**
 * The console: one page for all of its paths, and its assets. Pages of `embedOrigins` may show what is below /embed in
 * a frame; the rest is shown in none.
 */
export function serveConsole(fastify: FastifyInstance, files: ConsoleFiles, embedOrigins: readonly string[]): void {
  const ancestors = embedOrigins.length > 0 ? embedOrigins.join(' ') : "'none'";
  for (const url of PAGES)
    fastify.get(url, (request, reply) => sendPage(request, reply, { files, ancestors: "'none'" }));
  for (const url of EMBEDDED) fastify.get(url, (request, reply) => sendPage(request, reply, { files, ancestors }));
  fastify.get('/assets/:name', (request, reply) => sendAsset(request, reply, files));
}

function sendPage(
  { url }: FastifyRequest,
  reply: FastifyReply,
  { files, ancestors }: { readonly files: ConsoleFiles; readonly ancestors: string },
): FastifyReply {
  const page = files.page(url);
  if (page === undefined) return reply.code(404).type('text/plain; charset=utf-8').send(NOT_BUILT);
  const nonce = crypto.randomBytes(NONCE_BYTES).toString('base64');
  return reply
    .headers({
      'content-security-policy': policyOf(nonce, ancestors),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    })
    .type('text/html; charset=utf-8')
    .send(page.replaceAll(NONCE, nonce));
}

/** Scripts come from here alone, and none is in the page. Styles that a library makes carry the page's nonce. */
const policyOf = (nonce: string, ancestors: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ancestors}`,
  ].join('; ');

function sendAsset({ params, headers }: FastifyRequest, reply: FastifyReply, files: ConsoleFiles): FastifyReply {
  const { name } = params as { name: string };
  const file = files.asset(name, String(headers['accept-encoding'] ?? ''));
  if (!file) return reply.code(404).type('text/plain; charset=utf-8').send('There is no such file.\n');
  // Its name is its content's: what has the name is what the client has.
  const etag = `"${name}${file.encoding ? `-${file.encoding}` : ''}"`;
  void reply.headers({
    etag,
    vary: 'Accept-Encoding',
    'cache-control': `public, max-age=${YEAR}, immutable`,
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  });
  if (headers['if-none-match'] === etag) return reply.code(304).send();
  if (file.encoding) void reply.header('content-encoding', file.encoding);
  return reply.type(file.type).send(file.body);
}
