import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import {
  ApiError,
  type ApiRequest,
  type ApiResponse,
  type BodyResponse,
  type StreamResponse,
  type User,
  type WatchResponse,
} from '@terrarium/engine';
import { statusResponse, requestHeaders, type ClusterHost, type FrameStream } from '@terrarium/host';
import type { Clusters, Identity } from '@terrarium/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { clientCertificateOf } from './client-certificate.js';

/** As kube-apiserver's limit on request bodies. */
const BODY_LIMIT_BYTES = 3 * 1024 * 1024;
/** As kube-apiserver: smaller answers are not worth compressing. */
const GZIP_FROM_BYTES = 128 * 1024;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const ADMIN: User = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };

const CRLF = Buffer.from('\r\n');
/** Larger frames are of one watch alone: initial lists. */
const MAX_SHARED_CHUNK = 256 * 1024;

const gzipAsync = promisify(gzip);

export interface Parts {
  readonly host: ClusterHost;
  readonly identity: Identity;
  readonly clusters: Clusters;
  readonly clientCertificateHeader?: string;
}

type ClusterRequest = FastifyRequest<{ Params: { id: string } }>;
/** What is looked at of a request to a cluster. */
export type Asked = Pick<ClusterRequest, 'params' | 'method' | 'headers' | 'body' | 'raw'>;

/**
 * /clusters/<id>/…: the Kubernetes API of every cluster. One raw route: bodies are bytes, and nothing of NestJS runs.
 */
export function serveKubernetes(fastify: FastifyInstance, parts: Parts): void {
  void fastify.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    scope.setErrorHandler((error: { statusCode?: number }, _request, reply) =>
      sendBody(reply, statusResponse(statusOf(error)), false),
    );
    for (const url of ['/clusters/:id', '/clusters/:id/*']) {
      scope.route({
        method: METHODS,
        url,
        bodyLimit: BODY_LIMIT_BYTES,
        handler: (request, reply) => serve(parts, request as ClusterRequest, reply),
      });
    }
  });
}

async function serve(parts: Parts, request: ClusterRequest, reply: FastifyReply): Promise<unknown> {
  const response = await answerTo(parts, request);
  if (response.type === 'body') return sendBody(reply, response, accepts(request));
  if (response.type === 'exec')
    return sendBody(reply, statusResponse(new ApiError(400, 'BadRequest', 'Upgrade request required')), false);
  const stream = await streamOf(parts, request.params.id, response);
  reply.hijack();
  reply.raw.writeHead(200, response.headers as Record<string, string | string[]>);
  reply.raw.flushHeaders();
  await pipe(stream, reply.raw);
  return undefined;
}

export const streamOf = (
  { host }: Parts,
  id: string,
  response: WatchResponse | StreamResponse,
): Promise<FrameStream> => (response.type === 'watch' ? host.watch(id, response) : host.stream(id, response));

/** Finds out who asks, and asks the cluster. Throws 429. */
export async function answerTo(parts: Parts, request: Asked): Promise<ApiResponse> {
  const { id } = request.params;
  const { authorization } = request.headers;
  const { identity } = parts;
  const certificate = clientCertificateOf(request.raw, parts.clientCertificateHeader);
  const clientCertificate =
    certificate && (await identity.isIssuedByCluster(certificate, id)) ? certificate.raw : undefined;
  const caller = await identity.clusterCaller(authorization, id);
  const owner = caller && (await parts.clusters.owns(caller, id)) ? ADMIN : undefined;
  // Whoever shows nothing that counts here is not told whether there is such a cluster.
  if (!owner && !clientCertificate && !(await identity.isSignedByCluster(authorization, id)))
    return statusResponse(caller ? noCluster(id) : UNAUTHORIZED);
  return inTurn(parts, id, request, () => parts.host.request(id, toApiRequest(request, owner, clientCertificate)));
}

/** Tenants take turns; what streams afterwards holds no seat. Throws 429. */
async function inTurn<T>({ host, clusters }: Parts, id: string, request: Asked, work: () => Promise<T>): Promise<T> {
  const tenant = await clusters.tenantOf(id);
  const turn = host.fairQueue.acquire(tenant, (request.body as Uint8Array | undefined)?.length);
  if (turn) await turn;
  try {
    return await work();
  } finally {
    host.fairQueue.release(tenant);
  }
}

const UNAUTHORIZED = new ApiError(401, 'Unauthorized', 'Unauthorized');
const noCluster = (id: string): ApiError => new ApiError(404, 'NotFound', `cluster ${JSON.stringify(id)} not found`);

/** Without a user, the cluster finds out itself, from the certificate or the token. */
function toApiRequest(request: Asked, user: User | undefined, clientCertificate: Uint8Array | undefined): ApiRequest {
  const url = request.raw.url ?? '/';
  const start = '/clusters/'.length + request.params.id.length;
  const mark = url.indexOf('?');
  const path = url.slice(start, mark < 0 ? undefined : mark) || '/';
  const body = request.body instanceof Uint8Array && request.body.length > 0 ? request.body : undefined;
  return {
    method: request.method,
    path,
    query: mark < 0 ? '' : url.slice(mark + 1),
    headers: requestHeaders(request.raw),
    body,
    user,
    clientCertificate,
  };
}

const accepts = (request: FastifyRequest): boolean => /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));

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

/** Frames as they come, one chunk each time. A client that reads too slowly is cut off by the stream's own limit. */
export async function pipe(stream: FrameStream, raw: ServerResponse | Writable): Promise<void> {
  raw.on('close', () => stream.end());
  raw.on('error', () => stream.end());
  // Chunks are framed here, once for all watches that write the same, and not by every response: half the cost of a
  // write.
  const socket = 'chunkedEncoding' in raw && raw.chunkedEncoding ? raw.socket : null;
  for await (const frame of stream) {
    if (raw.destroyed) break;
    if (!(socket ? socket.write(chunkOf(frame)) : raw.write(frame))) await room(socket ?? raw);
  }
  raw.end();
}

let lastChunk: { readonly frame: string | Uint8Array; readonly chunk: Buffer } | undefined;

/** A frame as a chunk of HTTP/1.1. */
function chunkOf(frame: string | Uint8Array): Buffer {
  if (lastChunk?.frame === frame) return lastChunk.chunk;
  const bytes = Buffer.from(frame as string);
  const chunk = Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, CRLF]);
  lastChunk = chunk.length <= MAX_SHARED_CHUNK ? { frame, chunk } : undefined;
  return chunk;
}

/** Resolves when the client has read enough to be written to again, or is gone. */
function room(writable: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      writable.off('drain', done).off('close', done);
      resolve();
    };
    writable.on('drain', done).on('close', done);
  });
}

/** Errors of the edge (a body too large, broken HTTP) in the form that Kubernetes clients read. */
export function statusOf(error: { statusCode?: number }): ApiError {
  if (error instanceof ApiError) return error;
  if (error.statusCode === 413)
    return new ApiError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${BODY_LIMIT_BYTES}`);
  if (error.statusCode !== undefined && error.statusCode < 500)
    return new ApiError(error.statusCode, 'BadRequest', 'the request could not be read');
  return new ApiError(503, 'ServiceUnavailable', 'the server is currently unable to handle the request', {
    retryAfterSeconds: 1,
  });
}
