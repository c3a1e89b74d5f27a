import type { RequestListener } from 'node:http';
import { NestFactory } from '@nestjs/core';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ClusterHost } from '@terrarium/host';
import {
  certificateFor,
  Clusters,
  Identity,
  LOGGER,
  openDatabase,
  type Certificate,
  type Settings,
} from '@terrarium/platform';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { ApiModule, GRAPHQL_PATH } from '../api.module.js';
import { serveSubscriptions } from '../graphql/subscriptions.js';
import { refuseConnection, refuseUrl, SERVER_LIMITS } from './broken-requests.js';
import { bothProtocols, type BothProtocols } from './both-protocols.js';
import { RefusalFilter } from '../rest/failures.filter.js';
import { serveUpgrades } from '../kubernetes/kubernetes.upgrades.js';
import { serveKubernetes } from '../kubernetes/kubernetes.routes.js';
import { NestLogger } from './nest-logger.js';
import { serveDocs } from '../rest/docs.routes.js';
import { recordRoutes, type Route } from '../rest/recorded-routes.js';

const BODY_LIMIT_BYTES = 1024 * 1024;
const KEEP_ALIVE_MS = 75_000;

export interface Api {
  readonly app: NestFastifyApplication;
  readonly url: string;
  /** Every route that is served, for the test that each one keeps tenants apart. */
  readonly routes: readonly Route[];
  close(): Promise<void>;
}

/** Starts the API and resolves when it listens. */
export async function startApi(settings: Settings): Promise<Api> {
  const certificate = await ownCertificate(settings);
  let both: BothProtocols | undefined;
  const serverFactory =
    certificate && ((handler: RequestListener) => (both = bothProtocols(handler, certificate)).server);
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_LIMIT_BYTES,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 500 },
    http: SERVER_LIMITS,
    clientErrorHandler: refuseConnection,
    frameworkErrors: refuseUrl,
    ...(serverFactory ? { serverFactory } : {}),
  });
  const fastify = adapter.getInstance() as unknown as FastifyInstance;
  const routes = recordRoutes(fastify);
  const app = await NestFactory.create<NestFastifyApplication>(
    ApiModule.with(settings, certificate?.certificate),
    adapter,
    { logger: false, abortOnError: false },
  );
  const logger = app.get<Logger>(LOGGER);
  app.useLogger(new NestLogger(logger));
  app.useGlobalFilters(new RefusalFilter(logger));
  const parts = {
    host: app.get(ClusterHost),
    identity: app.get(Identity),
    clusters: app.get(Clusters),
    clientCertificateHeader: settings.clientCertificateHeader,
  };
  serveKubernetes(fastify, parts);
  serveDocs(fastify, settings);
  await app.listen(settings.port, settings.host);
  serveUpgrades(app.getHttpServer(), parts);
  const { port } = app.getHttpServer().address() as { port: number };
  const identity = app.get(Identity);
  const closeSubscriptions = serveSubscriptions(app.getHttpServer(), {
    path: GRAPHQL_PATH,
    schema: app.get(GraphQLSchemaHost).schema,
    allowed: (authorization) =>
      identity.caller(authorization).then(
        () => true,
        () => false,
      ),
  });
  logger.info({ port }, 'the API listens');
  const close = async (): Promise<void> => {
    await closeSubscriptions();
    both?.closeSecure();
    await app.close();
  };
  return { app, url: `http://127.0.0.1:${port}`, routes, close };
}

/** Behind a proxy that speaks TLS we need none. */
async function ownCertificate({ publicUrl, databaseUrl }: Settings): Promise<Certificate | undefined> {
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === 'https:') return undefined;
  const database = openDatabase(databaseUrl);
  try {
    return await certificateFor(database, hostname);
  } finally {
    await database.$disconnect();
  }
}
