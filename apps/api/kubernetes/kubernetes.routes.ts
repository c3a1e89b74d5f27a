import type { OutgoingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import { ApiError, isRefusedConnection, type BodyResponse, type ProxiedResponse } from '@terrarium/engine';
import { refuseOnSocket, statusResponse } from '@terrarium/host';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { encodeInPieces, PIECE_CHARACTERS } from '../gate/encode-in-pieces.js';
import type { ClusterApi } from './cluster-api.js';
import { openStream, runClusterRequest } from './cluster-request.js';
import { isTls } from './cluster-url.js';
import { keepToken, tokenOfQuery } from './outside-access.js';
import { CLUSTER_ROOT, clusterRootConstraint } from './cluster-root-constraint.js';
import { MAX_BODY_BYTES, toApiError } from './edge-errors.js';
import { pipeFrames } from './pipe-frames.js';

/** As kube-apiserver: smaller answers are not worth compressing. */
const GZIP_FROM_BYTES = 128 * 1024;
/** How long a client may take to read the end of a stream that is ended. */
const CUT_MS = 5_000;
const SEE_OTHER = 303;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const gzipAsync = promisify(gzip);

/**
 * /clusters/<id>/…, or any path below a cluster's own root: the Kubernetes API of every cluster. Raw routes: bodies are
 * bytes, and nothing of NestJS runs.
 */
export function serveKubernetes(fastify: FastifyInstance, api: ClusterApi): void {
  fastify.addConstraintStrategy(clusterRootConstraint(api.roots));
  void fastify.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    scope.setErrorHandler((error, { requestContext }, reply) =>
      sendBody(reply, statusResponse(toApiError(error, requestContext)), false, () =>
        api.gate.nextPiece(requestContext),
      ),
    );
    const route = {
      method: METHODS,
      bodyLimit: MAX_BODY_BYTES,
      handler: (request: FastifyRequest, reply: FastifyReply) => serve(api, request, reply),
    };
    for (const url of ['/clusters/:id', '/clusters/:id/*']) scope.route({ ...route, url });
    scope.route({ ...route, url: '*', constraints: { [CLUSTER_ROOT]: true } });
  });
}

async function serve(api: ClusterApi, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { raw, requestContext: context, headers } = request;
  const url = request.clusterUrl!;
  if (url.outsideHost === undefined && isBrowser(headers)) void reply.header(POLICY, SANDBOX);
  if (url.outsidePath !== undefined && raw.method === 'GET' && tokenOfQuery(url.query) !== undefined)
    return reply
      .code(SEE_OTHER)
      .headers(keepToken(url.outsidePath, url.query, isTls(raw)))
      .send();
  const body = request.body instanceof Uint8Array ? request.body : undefined;
  const response = await runClusterRequest(api, context, { url, raw, body, info: request.requestInfo });
  if (response.type === 'body' && isRefusedConnection(response)) {
    reply.hijack();
    return void refuseOnSocket(raw.socket, response);
  }
  if (response.type === 'body')
    return sendBody(reply, response, acceptsGzip(headers), () => api.gate.nextPiece(context));
  if (response.type === 'session' || response.type === 'portforward')
    throw new ApiError(400, 'BadRequest', 'Upgrade request required');
  if (response.type === 'proxied') return serveProxied(api, request, reply, response);
  // A client that does not read its end is not waited for.
  const cut = (): void => void setTimeout(() => reply.raw.writableFinished || reply.raw.destroy(), CUT_MS).unref();
  const stream = await openStream(api, context, url, response, cut);
  const gateHeaders = reply.getHeaders() as OutgoingHttpHeaders;
  reply.hijack();
  reply.raw.writeHead(200, { ...gateHeaders, ...(response.headers as Headers) });
  reply.raw.flushHeaders();
  await pipeFrames(stream, reply.raw, () => api.gate.nextPiece(context));
  return undefined;
}

/** The answer of a process of the cluster, when it comes; the client's leaving ends its connection. */
async function serveProxied(
  api: ClusterApi,
  { raw, requestContext: context, clusterUrl }: FastifyRequest,
  reply: FastifyReply,
  response: ProxiedResponse,
): Promise<unknown> {
  const { answer, close } = api.host.proxied(clusterUrl!.id, response, raw.method ?? 'GET');
  reply.raw.once('close', close);
  try {
    api.gate.startStream(context, () => reply.raw.destroy());
    const found = await answer;
    if (found.type === 'body') return await sendBody(reply, found.response, false, () => api.gate.nextPiece(context));
    if (found.type === 'upgraded') throw response.refuse('unexpected upgrade');
    const gateHeaders = reply.getHeaders() as OutgoingHttpHeaders;
    reply.hijack();
    const { status, headers } = found.response;
    reply.raw.writeHead(status, headersUnder(gateHeaders, headers as Headers));
    // A watch may have nothing to say for a long time: its client waits for the head.
    reply.raw.flushHeaders();
    // A body that breaks off in the pod breaks the answer off, as the real proxy does: its client sees it.
    await pipeline(found.body, reply.raw).catch(() => reply.raw.destroy());
    return undefined;
  } catch (error) {
    close();
    // Nobody waits for it any more.
    void answer.catch(() => undefined);
    throw error;
  }
}

/**
 * What a process of a cluster serves by path is at the origin of the console, where a page of it would be as good as
 * its own: the policy gives it an origin that is nobody's.
 */
const POLICY = 'content-security-policy';
const SANDBOX = 'sandbox allow-scripts allow-forms allow-modals allow-popups allow-downloads';

type Headers = Record<string, string | string[]>;

/** A process of a cluster has no say in the sandbox. */
function headersUnder(own: OutgoingHttpHeaders, given: Headers): Headers {
  if (own[POLICY] === undefined) return { ...(own as Headers), ...given };
  const rest = Object.fromEntries(Object.entries(given).filter(([name]) => name.toLowerCase() !== POLICY));
  return { ...(own as Headers), ...rest };
}

/** Every browser says so, and no client of Kubernetes does. */
const isBrowser = (headers: FastifyRequest['headers']): boolean => /^Mozilla\//.test(headers['user-agent'] ?? '');

const acceptsGzip = (headers: FastifyRequest['headers']): boolean =>
  /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''));

async function sendBody(
  reply: FastifyReply,
  response: BodyResponse,
  gzipAccepted: boolean,
  nextPiece: () => Promise<void>,
): Promise<FastifyReply> {
  void reply
    .code(response.status)
    .headers(headersUnder(reply.getHeaders() as OutgoingHttpHeaders, response.headers as Headers));
  const bytes = bytesOf(response, nextPiece);
  if (!gzipAccepted || (Buffer.isBuffer(bytes) && bytes.length < GZIP_FROM_BYTES)) return reply.send(bytes);
  const vary = [reply.getHeader('vary') ?? [], 'Accept-Encoding'].flat().join(', ');
  void reply.header('content-encoding', 'gzip').header('vary', vary);
  const level = { level: 1 };
  return reply.send(Buffer.isBuffer(bytes) ? await gzipAsync(bytes, level) : bytes.pipe(createGzip(level)));
}

/** The body of a list of many megabytes is not read as one text, which would be joined. */
function bytesOf(response: BodyResponse, nextPiece: () => Promise<void>): Buffer | Readable {
  const texts = response.pieces ?? [response.body];
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length > PIECE_CHARACTERS && areTexts(texts)) return encodeInPieces(texts, nextPiece);
  const { body } = response;
  return typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

const areTexts = (texts: readonly BodyResponse['body'][]): texts is readonly string[] =>
  texts.every((text) => typeof text === 'string');
