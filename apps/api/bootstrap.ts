import type { RequestListener } from 'node:http';
import { NestFactory } from '@nestjs/core';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { x509 } from '@terrarium/engine';
import { ClusterHost } from '@terrarium/host';
import {
  Clusters,
  Identity,
  Invalidations,
  LOGGER,
  MAX_FILE_BYTES,
  MAX_LAB_CHARACTERS,
  type Settings,
} from '@terrarium/platform';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { ApiModule, GRAPHQL_PATH } from './api.module.js';
import { Gate } from './gate/gate.js';
import { openEdge, restEdge } from './gate/http-edges.js';
import { serveThroughGate } from './gate/http-gate.js';
import { graphqlEdge } from './graphql/graphql.edge.js';
import { Subscriptions } from './graphql/streams/subscriptions.js';
import { serveCors } from './edge/cors.js';
import { forgetTypeOfEmptyBody } from './edge/empty-body.js';
import { sessionCookie, takeSession } from './edge/session-cookie.js';
import { routeUpgrades } from './edge/upgrades.js';
import { kubernetesEdge } from './kubernetes/kubernetes.edge.js';
import { createSecureServer, loadServerAuthority, type SecureServer } from './edge/secure-server.js';
import { refuseConnection, refuseUrl, SERVER_LIMITS } from './edge/broken-requests.js';
import { ExceptionsFilter } from './edge/exceptions.filter.js';
import type { ClusterApi } from './kubernetes/cluster-api.js';
import { clusterRoots, MAX_ID_LENGTH } from './kubernetes/cluster-url.js';
import { KubernetesUpgrades } from './kubernetes/kubernetes.upgrades.js';
import { TerminalUpgrades } from './kubernetes/terminal.upgrades.js';
import { serveKubernetes } from './kubernetes/kubernetes.routes.js';
import { NestLogger } from './edge/nest-logger.js';
import { findConsole } from './console/console-files.js';
import { serveConsole } from './console/console.routes.js';
import { serveDocs } from './rest/docs.routes.js';
import { createOpenApiDocument } from './rest/openapi.js';
import { recordRoutes, type Route } from './edge/record-routes.js';

const BODY_LIMIT_BYTES = 1024 * 1024;
/** How long requests may take to be answered after the server has begun to close. */
const DRAIN_MS = 3_000;

export interface Api {
  readonly app: NestFastifyApplication;
  readonly url: string;
  /** Every route that is served, for the test that each of them keeps tenants apart. */
  readonly routes: readonly Route[];
  close(): Promise<void>;
}

/** Starts the API and resolves when it listens. */
export async function startApi(settings: Settings): Promise<Api> {
  const authority = await loadServerAuthority(settings);
  const { adapter, closeSecure } = createAdapter(settings, authority);
  const fastify = adapter.getInstance() as unknown as FastifyInstance;
  const routes = recordRoutes(fastify);
  const app = await NestFactory.create<NestFastifyApplication>(ApiModule.with(settings, authority?.pem), adapter, {
    logger: false,
    abortOnError: false,
  });
  const logger = app.get<Logger>(LOGGER);
  app.useLogger(new NestLogger(logger));
  app.useGlobalFilters(new ExceptionsFilter());
  const [identity, gate] = [app.get(Identity), app.get(Gate)];
  const clusterApi: ClusterApi = {
    gate,
    host: app.get(ClusterHost),
    identity,
    clusters: app.get(Clusters),
    roots: clusterRoots(settings),
    clientCertificateHeader: settings.clientCertificateHeader,
  };
  const allowedOrigins = new Set(settings.corsOrigins);
  await serveCors(fastify, allowedOrigins);
  const cookie = sessionCookie(settings);
  fastify.addHook('onRequest', async ({ raw }) => takeSession(raw, cookie));
  fastify.addHook('onRequest', forgetTypeOfEmptyBody);
  serveThroughGate(fastify, gate, [
    kubernetesEdge(clusterApi),
    restEdge(gate, identity),
    graphqlEdge(gate, identity, GRAPHQL_PATH),
    openEdge,
  ]);
  fastify.addHook('preClose', async () => {
    // Meanwhile new requests are answered 503.
    await gate.whenIdle(DRAIN_MS);
    closeSecure();
  });
  serveKubernetes(fastify, clusterApi);
  acceptBodies(fastify);
  serveConsole(fastify, findConsole(), settings.embedOrigins);
  serveDocs(fastify, () => createOpenApiDocument(app, settings));
  await app.listen(settings.port, settings.host);
  const { schema } = app.get(GraphQLSchemaHost);
  const subscriptions = new Subscriptions({ gate, identity, path: GRAPHQL_PATH, schema });
  app.get(Invalidations).listen(gate);
  routeUpgrades(app.getHttpServer(), {
    routes: [new KubernetesUpgrades(clusterApi), new TerminalUpgrades(clusterApi), subscriptions],
    allowedOrigins,
    onArrival: (raw) => takeSession(raw, cookie),
    onError: (error) => logger.error({ err: error }, 'an upgrade failed'),
  });
  const { port } = app.getHttpServer().address() as { port: number };
  logger.info({ port }, 'the API listens');
  const close = async (): Promise<void> => {
    await subscriptions.dispose();
    await app.close();
  };
  return { app, url: `http://127.0.0.1:${port}`, routes, close };
}

/** Bodies that are not JSON: the file of a cluster is bytes, and a lab may be YAML. */
function acceptBodies(fastify: FastifyInstance): void {
  const fileOptions = { parseAs: 'buffer', bodyLimit: MAX_FILE_BYTES } as const;
  fastify.addContentTypeParser('application/gzip', fileOptions, (_request, body, done) => done(null, body));
  const textOptions = { parseAs: 'string', bodyLimit: MAX_LAB_CHARACTERS } as const;
  for (const type of ['application/yaml', 'application/x-yaml', 'text/yaml'])
    fastify.addContentTypeParser(type, textOptions, (_request, body, done) => done(null, body));
}

/** With an authority the server speaks TLS too; `closeSecure` ends what belongs to that. */
function createAdapter(
  settings: Settings,
  authority: x509.Authority | undefined,
): { adapter: FastifyAdapter; closeSecure(): void } {
  let secure: SecureServer | undefined;
  const serverFactory =
    authority && ((handler: RequestListener) => (secure = createSecureServer(handler, settings, authority)).server);
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_LIMIT_BYTES,
    keepAliveTimeout: SERVER_LIMITS.keepAliveTimeout,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: MAX_ID_LENGTH },
    http: SERVER_LIMITS,
    clientErrorHandler: refuseConnection,
    frameworkErrors: refuseUrl,
    ...(serverFactory ? { serverFactory } : {}),
  });
  return { adapter, closeSecure: () => secure?.close() };
}
