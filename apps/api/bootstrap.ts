import type { RequestListener } from 'node:http';
import { NestFactory } from '@nestjs/core';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ClusterHost } from '@terrarium/host';
import {
  ensureCertificate,
  Clusters,
  Identity,
  LOGGER,
  openDatabase,
  type Certificate,
  type Settings,
} from '@terrarium/platform';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { ApiModule, GRAPHQL_PATH } from './api.module.js';
import { serveSubscriptions } from './graphql/subscriptions.js';
import { refuseConnection, refuseUrl, SERVER_LIMITS } from './edge/broken-requests.js';
import { createDualServer, type DualServer } from './edge/http-and-https.js';
import { ExceptionsFilter } from './edge/exceptions.filter.js';
import type { ClusterApi } from './kubernetes/cluster-api.js';
import { MAX_ID_LENGTH } from './kubernetes/cluster-url.js';
import { serveUpgrades } from './kubernetes/kubernetes.upgrades.js';
import { serveKubernetes } from './kubernetes/kubernetes.routes.js';
import { NestLogger } from './edge/nest-logger.js';
import { serveDocs } from './rest/docs.routes.js';
import { recordRoutes, type Route } from './edge/record-routes.js';

const BODY_LIMIT_BYTES = 1024 * 1024;
const KEEP_ALIVE_MS = 75_000;

export interface Api {
  readonly app: NestFastifyApplication;
  readonly url: string;
  /** Every route that is served, for the test that each of them keeps tenants apart. */
  readonly routes: readonly Route[];
  close(): Promise<void>;
}

/** Starts the API and resolves when it listens. */
export async function startApi(settings: Settings): Promise<Api> {
  const certificate = await loadCertificate(settings);
  const { adapter, closeSecure } = createAdapter(certificate);
  const fastify = adapter.getInstance() as unknown as FastifyInstance;
  const routes = recordRoutes(fastify);
  const app = await NestFactory.create<NestFastifyApplication>(
    ApiModule.with(settings, certificate?.certificate),
    adapter,
    { logger: false, abortOnError: false },
  );
  const logger = app.get<Logger>(LOGGER);
  app.useLogger(new NestLogger(logger));
  app.useGlobalFilters(new ExceptionsFilter(logger));
  const identity = app.get(Identity);
  const clusterApi: ClusterApi = {
    host: app.get(ClusterHost),
    identity,
    clusters: app.get(Clusters),
    clientCertificateHeader: settings.clientCertificateHeader,
  };
  serveKubernetes(fastify, clusterApi);
  serveDocs(fastify, settings);
  await app.listen(settings.port, settings.host);
  serveUpgrades(app.getHttpServer(), clusterApi);
  const closeSubscriptions = serveSubscriptions(app.getHttpServer(), {
    path: GRAPHQL_PATH,
    schema: app.get(GraphQLSchemaHost).schema,
    isAllowed: (authorization) =>
      identity.caller(authorization).then(
        () => true,
        () => false,
      ),
  });
  const { port } = app.getHttpServer().address() as { port: number };
  logger.info({ port }, 'the API listens');
  const close = async (): Promise<void> => {
    await closeSubscriptions();
    closeSecure();
    await app.close();
  };
  return { app, url: `http://127.0.0.1:${port}`, routes, close };
}

/** With a certificate the server speaks TLS too, whose connections `closeSecure` ends. */
function createAdapter(certificate: Certificate | undefined): { adapter: FastifyAdapter; closeSecure(): void } {
  let dual: DualServer | undefined;
  const serverFactory =
    certificate && ((handler: RequestListener) => (dual = createDualServer(handler, certificate)).server);
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_LIMIT_BYTES,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: MAX_ID_LENGTH },
    http: SERVER_LIMITS,
    clientErrorHandler: refuseConnection,
    frameworkErrors: refuseUrl,
    ...(serverFactory ? { serverFactory } : {}),
  });
  return { adapter, closeSecure: () => dual?.closeSecure() };
}

/** The API's own certificate; none behind a proxy that ends TLS. */
async function loadCertificate({ publicUrl, databaseUrl }: Settings): Promise<Certificate | undefined> {
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === 'https:') return undefined;
  const database = openDatabase(databaseUrl);
  try {
    return await ensureCertificate(database, hostname);
  } finally {
    await database.$disconnect();
  }
}
