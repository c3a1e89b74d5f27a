import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { ApiError, type BodyResponse } from '@terrarium/engine';
import { clusterNotFound, statusResponse } from '@terrarium/host';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ClusterApi } from './cluster-api.js';
import { handleClusterRequest, openStream } from './cluster-request.js';
import { parseClusterUrl } from './cluster-url.js';
import { MAX_BODY_BYTES, toApiError } from './edge-errors.js';
import { pipeFrames } from './pipe-frames.js';

/** As kube-apiserver: smaller answers are not worth compressing. */
const GZIP_FROM_BYTES = 128 * 1024;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const gzipAsync = promisify(gzip);

/**
 * /clusters/<id>/…: the Kubernetes API of every cluster. One raw route: bodies are bytes, and nothing of NestJS runs.
 */
export function serveKubernetes(fastify: FastifyInstance, api: ClusterApi): void {
  void fastify.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    scope.setErrorHandler((error: { statusCode?: number }, _request, reply) =>
      sendBody(reply, statusResponse(toApiError(error)), false),
    );
    for (const url of ['/clusters/:id', '/clusters/:id/*']) {
      scope.route({
        method: METHODS,
        url,
        bodyLimit: MAX_BODY_BYTES,
        handler: (request, reply) => serve(api, request, reply),
      });
    }
  });
}

async function serve(api: ClusterApi, { raw, body, headers }: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const url = parseClusterUrl(raw.url);
  if (!url) throw clusterNotFound('');
  const response = await handleClusterRequest(api, { url, raw, body: body instanceof Uint8Array ? body : undefined });
  if (response.type === 'body') return sendBody(reply, response, acceptsGzip(headers));
  if (response.type === 'exec') throw new ApiError(400, 'BadRequest', 'Upgrade request required');
  const stream = await openStream(api, url.id, response);
  reply.hijack();
  reply.raw.writeHead(200, response.headers as Record<string, string | string[]>);
  reply.raw.flushHeaders();
  await pipeFrames(stream, reply.raw);
  return undefined;
}

const acceptsGzip = (headers: FastifyRequest['headers']): boolean =>
  /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''));

async function sendBody(
  reply: FastifyReply,
  { status, headers, body }: BodyResponse,
  gzipAccepted: boolean,
): Promise<FastifyReply> {
  void reply.code(status).headers(headers as Record<string, string | string[]>);
  const bytes =
    typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (!gzipAccepted || bytes.length < GZIP_FROM_BYTES) return reply.send(bytes);
  void reply.header('content-encoding', 'gzip').header('vary', 'Accept-Encoding');
  return reply.send(await gzipAsync(bytes, { level: 1 }));
}
