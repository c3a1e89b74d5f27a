import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { Module, type DynamicModule } from '@nestjs/common';
import { APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { GraphQLModule } from '@nestjs/graphql';
import { ClusterHost } from '@terrarium/host';
import {
  Clusters,
  ClusterUse,
  Identity,
  ClusterLinks,
  Kubeconfigs,
  LOGGER,
  PlatformModule,
  type Settings,
  Tenants,
  Tokens,
  TRACING,
  type Tracing,
} from '@terrarium/platform';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { trustProxies } from './gate/client-address.js';
import { Gate } from './gate/gate.js';
import { GATE_OBSERVERS, type GateObserver } from './gate/observer.js';
import { ClusterUseObserver } from './observers/cluster-use.js';
import { openObservers } from './observers/index.js';
import { ClustersRoutes } from './rest/clusters/clusters.routes.js';
import { ALL_RESOLVERS } from './graphql/all-resolvers.js';
import { limitOperations } from './graphql/operation-limits.js';
import { printInPieces } from './graphql/streams/print-in-pieces.js';
import { KubeObjects } from './graphql/objects/kube-objects.js';
import type { GraphQLContext } from './graphql/graphql-context.js';
import { ClusterReads } from './graphql/tables/cluster-reads.js';
import { TableFeeds } from './graphql/tables/table-feeds.js';
import { ClusterChecks } from './graphql/checks/cluster-checks.js';
import { ClusterClocks } from './graphql/clock/cluster-clocks.js';
import { RootFieldInterceptor } from './graphql/root-field.interceptor.js';
import { KeysRoutes } from './rest/access/keys.routes.js';
import { KubeconfigRoutes } from './rest/clusters/kubeconfig.routes.js';
import {
  OperatorClustersRoutes,
  OperatorLoadRoutes,
  OperatorTenantsRoutes,
  TokenSecretsRoutes,
} from './rest/access/operator.routes.js';
import { LinksRoutes } from './rest/access/links.routes.js';
import { TokensRoutes } from './rest/access/tokens.routes.js';
import { CheckWebhookRoutes } from './rest/time/check-webhook.routes.js';
import { ChecksRoutes } from './rest/time/checks.routes.js';
import { FaultsRoutes } from './rest/time/faults.routes.js';
import { FlowRoutes } from './rest/time/flow.routes.js';
import { TimelineRoutes } from './rest/time/timeline.routes.js';
import { ClockRoutes } from './rest/time/clock.routes.js';
import { TraceRoutes } from './rest/time/trace.routes.js';
import { WhyRoutes } from './rest/time/why.routes.js';
import { Questions } from './graphql/why/questions.js';
import { ClusterFilesRoutes } from './rest/clusters/cluster-files.routes.js';
import { LabsRoutes } from './rest/labs/labs.routes.js';
import { LabSessionsRoutes } from './rest/labs/lab-sessions.routes.js';
import { ForksRoutes } from './rest/clusters/forks.routes.js';
import { HistoryRoutes } from './rest/clusters/history.routes.js';
import { SnapshotsRoutes } from './rest/clusters/snapshots.routes.js';
import { SessionRoutes } from './rest/access/session.routes.js';
import { UsageRoutes } from './rest/clusters/usage.routes.js';
import { UsersRoutes } from './rest/access/users.routes.js';
import { HealthRoutes } from './rest/health.routes.js';
import { ZodValidationPipe } from './rest/zod-validation.pipe.js';

export const GRAPHQL_PATH = '/graphql';

@Module({})
export class ApiModule {
  static with(settings: Settings, authority: string | undefined): DynamicModule {
    return {
      module: ApiModule,
      imports: [
        PlatformModule.with({ settings, runs: false }),
        GraphQLModule.forRoot<ApolloDriverConfig>({
          driver: ApolloDriver,
          path: GRAPHQL_PATH,
          autoSchemaFile: true,
          graphiql: true,
          introspection: true,
          validationRules: [limitOperations],
          stringifyResult: printInPieces,
          allowBatchedHttpRequests: false,
          context: (request: FastifyRequest): GraphQLContext => ({ requestContext: request.requestContext }),
          formatError: ({ message, extensions, path, locations }) => ({
            message,
            path,
            locations,
            extensions: {
              code: extensions?.['code'],
              status: extensions?.['status'],
              details: extensions?.['details'],
            },
          }),
        }),
      ],
      controllers: [
        ClustersRoutes,
        KubeconfigRoutes,
        TokensRoutes,
        LinksRoutes,
        ChecksRoutes,
        CheckWebhookRoutes,
        FaultsRoutes,
        FlowRoutes,
        TraceRoutes,
        ClockRoutes,
        WhyRoutes,
        TimelineRoutes,
        LabsRoutes,
        LabSessionsRoutes,
        ForksRoutes,
        ClusterFilesRoutes,
        HistoryRoutes,
        SnapshotsRoutes,
        UsersRoutes,
        KeysRoutes,
        SessionRoutes,
        UsageRoutes,
        OperatorTenantsRoutes,
        OperatorClustersRoutes,
        OperatorLoadRoutes,
        TokenSecretsRoutes,
        HealthRoutes,
      ],
      providers: [
        ...ALL_RESOLVERS,
        KubeObjects,
        Questions,
        ClusterChecks,
        ClusterClocks,
        ClusterReads,
        TableFeeds,
        {
          provide: GATE_OBSERVERS,
          inject: [Registry, LOGGER, TRACING, ClusterUse],
          useFactory: (registry: Registry, logger: Logger, tracing: Tracing | undefined, use: ClusterUse) => [
            ...openObservers({ settings, registry, logger, tracing }),
            new ClusterUseObserver(use),
          ],
        },
        {
          provide: Gate,
          inject: [ClusterHost, Tenants, LOGGER, GATE_OBSERVERS],
          useFactory: (host: ClusterHost, tenants: Tenants, logger: Logger, observers: readonly GateObserver[]) =>
            openGate({ host, tenants, logger, observers, settings }),
        },
        { provide: APP_INTERCEPTOR, useClass: RootFieldInterceptor },
        {
          provide: Kubeconfigs,
          inject: [Clusters, Tokens, Identity, ClusterHost],
          useFactory: (clusters: Clusters, tokens: Tokens, identity: Identity, host: ClusterHost) =>
            new Kubeconfigs({ clusters, tokens, identity, host, settings, authority }),
        },
        {
          provide: ClusterLinks,
          inject: [Tokens],
          useFactory: (tokens: Tokens) => new ClusterLinks(settings, tokens),
        },
        { provide: APP_PIPE, useClass: ZodValidationPipe },
      ],
    };
  }
}

interface GateParts {
  readonly host: ClusterHost;
  readonly tenants: Tenants;
  readonly logger: Logger;
  readonly observers: readonly GateObserver[];
  readonly settings: Settings;
}

const openGate = ({ host, tenants, logger, observers, settings }: GateParts): Gate =>
  new Gate({
    host,
    clientAddress: trustProxies(settings.trustedProxies),
    observers,
    tenantLimits: (tenantId) => tenants.limits(tenantId),
    onError: (error, { requestId, edge, tenantId, clusterId }) =>
      logger.error({ err: error, requestId, edge, tenant: tenantId, cluster: clusterId }, 'a request failed'),
  });
