import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify';
import { encodeInPieces, PIECE_CHARACTERS } from './encode-in-pieces.js';
import type { Gate } from './gate.js';
import type { Edge } from './observer.js';
import type { RequestContext } from './request-context.js';

declare module 'fastify' {
  interface FastifyRequest {
    requestContext: RequestContext;
  }
  interface FastifyContextConfig {
    httpEdge?: HttpEdge;
  }
}

/** One edge of HTTP: which routes are its own, and how it takes a request through the gate. */
export interface HttpEdge {
  readonly edge: Edge;
  isServedBy(route: Pick<RouteOptions, 'method' | 'url' | 'constraints'>): boolean;
  /** For logs and metrics; by default the method is the verb. */
  describe?(request: FastifyRequest): { readonly verb: string; readonly resource?: string };
  /** Rejects when the request is refused. */
  identify?(request: FastifyRequest): Promise<void>;
  /** Whether routes' handlers run in turns; other edges take them by themselves. */
  readonly inTurns: boolean;
  /** Answers an error of the gate; by default the route's error handler does. */
  refuse?(error: unknown, reply: FastifyReply): FastifyReply;
}

/**
 * Takes every request of HTTP through the gate. A route that no edge has cannot be added: `edges` is the whole table,
 * and the routes that need no gate are an edge too.
 */
export function serveThroughGate(fastify: FastifyInstance, gate: Gate, edges: readonly HttpEdge[]): void {
  fastify.addHook('onRoute', (route) => {
    const httpEdge = edges.find((candidate) => candidate.isServedBy(route));
    if (!httpEdge)
      throw new Error(`${String(route.method)} ${route.url} is of no edge: add it to the table that has its kind`);
    route.config = { ...route.config, httpEdge };
    if (httpEdge.inTurns) route.handler = inTurn(gate, httpEdge, route.handler);
  });
  // Fields of every request from the beginning: added to it later, each would cost a move of the object.
  for (const field of ['requestContext', 'clusterUrl', 'requestInfo']) fastify.decorateRequest(field);
  fastify.addHook('onRequest', (request, reply, done) => {
    const { httpEdge } = request.routeOptions.config;
    const description = httpEdge?.describe?.(request);
    const context = gate.begin({
      edge: httpEdge?.edge ?? 'open',
      verb: description?.verb ?? request.method.toLowerCase(),
      resource: description?.resource,
      headers: request.headers,
      remoteAddress: request.socket.remoteAddress,
    });
    request.requestContext = context;
    void reply.header('x-request-id', context.requestId).header('audit-id', context.requestId);
    // Closed once: on() needs no wrapper for each request.
    reply.raw.on('close', () => {
      const { raw } = reply;
      if (!raw.writableFinished) gate.leave(context);
      gate.finish(context, raw.headersSent ? raw.statusCode : undefined);
    });
    if (!httpEdge?.identify) return done();
    httpEdge.identify(request).then(
      () => done(),
      (error: unknown) => (httpEdge.refuse ? httpEdge.refuse(error, reply) : done(error as Error)),
    );
  });
  // The answer is known: sending it, to a client that may read slowly, is no part of the turn.
  fastify.addHook('onSend', (request, _reply, payload, done) => {
    const requestContext = request.requestContext as RequestContext | undefined;
    // A preflight of CORS is answered before it reaches the gate.
    if (!requestContext) return done();
    requestContext.bytes ??= typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : undefined;
    requestContext.onAnswer?.();
    if (typeof payload !== 'string' || payload.length <= PIECE_CHARACTERS || request.method === 'HEAD') return done();
    done(
      null,
      encodeInPieces([payload], () => gate.nextPiece(requestContext)),
    );
  });
}

function inTurn(gate: Gate, { refuse }: HttpEdge, handler: RouteHandlerMethod): RouteHandlerMethod {
  return async function (request, reply) {
    const { requestContext } = request;
    const bytes = Number(request.headers['content-length'] ?? 0);
    let handling: Promise<unknown> | undefined;
    try {
      await gate.run(requestContext, bytes, () => {
        const isAnswered = new Promise<void>((resolve) => (requestContext.onAnswer = resolve));
        handling = Promise.resolve(handler.call(this, request, reply));
        return Promise.race([handling, isAnswered]);
      });
    } catch (error) {
      if (!refuse) throw error;
      return refuse(error, reply);
    }
    return handling;
  };
}
