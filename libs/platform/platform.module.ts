import { Global, Inject, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { catalog } from '@terrarium/containers';
import { Cluster, parseVersion } from '@terrarium/engine';
import {
  Activity,
  ClusterHost,
  PostgresActivityChannel,
  PostgresAnnouncer,
  RedisActivityChannel,
  RedisAnnouncer,
  type Announcer,
} from '@terrarium/host';
import { ListenConnection, openPool, PostgresLogStore, type ClusterRow, type LogStore } from '@terrarium/store';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { ClusterClock } from './clusters/cluster-clock.js';
import { ClusterLife } from './clusters/cluster-life.js';
import { ClusterPauses } from './clusters/cluster-pauses.js';
import { ClusterUse } from './clusters/cluster-use.js';
import { CheckWebhooks } from './checks/check-webhooks.js';
import { Clusters } from './clusters/clusters.js';
import { openDatabase, type PrismaClient } from './database.js';
import { AccessModule } from './identity/access.module.js';
import { Identity } from './identity/identity.js';
import { ANNOUNCER, DATABASE, LOG_STORE, SETTINGS, TASK_CONNECTION } from './injection-tokens.js';
import { registerHostMetrics } from './observability/host-metrics.js';
import { LOGGER, ObservabilityModule, TRACING } from './observability/observability.module.js';
import { registerQueueMetrics } from './observability/queue-metrics.js';
import { Readiness } from './observability/readiness.js';
import { timeReconciles } from './observability/reconcile-timer.js';
import type { Tracing } from './observability/tracing.js';
import type { Settings } from './settings.js';
import { ClusterFiles } from './snapshots/cluster-files.js';
import { forkSettingsOf } from './snapshots/fork-settings.js';
import { Forks } from './snapshots/forks.js';
import { Histories } from './snapshots/histories.js';
import { Restores } from './snapshots/restores.js';
import { Snapshots } from './snapshots/snapshots.js';
import { OperatorClusters } from './tenants/operator-clusters.js';
import { openTaskConnection, Tasks } from './tasks.js';
import { Templates } from './clusters/templates.js';
import { Tenants } from './tenants/tenants.js';
import { labProviders, LAB_SERVICES } from './labs/lab-providers.js';

const PLATFORM_METRICS = Symbol('platform metrics');

export interface PlatformOptions {
  readonly settings: Settings;
  /** True in the worker, where the clusters' components run. */
  readonly runs: boolean;
}

/** Everything that opens and closes, once a process: store, database, announcements, queue, host. */
@Global()
@Module({})
export class PlatformModule implements OnApplicationShutdown {
  constructor(
    private readonly host: ClusterHost,
    private readonly tasks: Tasks,
    @Inject(ANNOUNCER) private readonly announcer: Announcer,
    @Inject(LOG_STORE) private readonly store: LogStore,
    @Inject(DATABASE) private readonly database: PrismaClient,
    private readonly connection: ListenConnection,
    private readonly use: ClusterUse,
    private readonly activity: Activity,
  ) {}

  static with({ settings, runs }: PlatformOptions): DynamicModule {
    return {
      module: PlatformModule,
      imports: [
        ObservabilityModule.with(settings, runs ? 'terrarium-worker' : 'terrarium-api'),
        AccessModule.with(settings),
      ],
      providers: [
        { provide: SETTINGS, useValue: settings },
        {
          provide: LOG_STORE,
          useFactory: () => new PostgresLogStore(openPool({ connectionString: settings.databaseUrl, poolSize: 16 })),
        },
        { provide: DATABASE, useFactory: () => openDatabase(settings.databaseUrl) },
        {
          provide: ListenConnection,
          inject: [LOGGER],
          useFactory: (logger: Logger) => openListenConnection(settings, logger),
        },
        {
          provide: ANNOUNCER,
          inject: [ListenConnection, LOGGER],
          useFactory: (connection: ListenConnection, logger: Logger) => openAnnouncer(settings, connection, logger),
        },
        {
          provide: Activity,
          inject: [ListenConnection, LOGGER],
          useFactory: (connection: ListenConnection, logger: Logger) => openActivity(settings, connection, logger),
        },
        { provide: TASK_CONNECTION, useFactory: () => openTaskConnection(settings) },
        {
          provide: Tasks,
          inject: [TASK_CONNECTION, LOGGER],
          useFactory: (connection: ReturnType<typeof openTaskConnection>, logger: Logger) =>
            new Tasks(connection, (error) => logger.warn(error, 'a task could not be added')),
        },
        {
          provide: ClusterHost,
          inject: [LOG_STORE, ANNOUNCER, Tasks, LOGGER, Identity, Tenants, TRACING, Activity],
          useFactory: (
            store: LogStore,
            announcer: Announcer,
            tasks: Tasks,
            logger: Logger,
            identity: Identity,
            tenants: Tenants,
            tracing: Tracing | undefined,
            activity: Activity,
          ) => {
            const { webhookUrls, clusterBytes } = settings;
            return openHost({
              store,
              announcer,
              tasks,
              logger,
              identity,
              tenants,
              tracing,
              activity,
              runs,
              webhookUrls,
              clusterBytes,
            });
          },
        },
        {
          provide: PLATFORM_METRICS,
          inject: [Registry, Readiness, ClusterHost, Tasks, LOG_STORE],
          useFactory: (registry: Registry, readiness: Readiness, host: ClusterHost, tasks: Tasks, store: LogStore) => {
            registerHostMetrics(registry, host);
            registerQueueMetrics(registry, () => tasks.counts());
            readiness.checkWith(() => store.heads(['none']));
          },
        },
        {
          provide: Templates,
          inject: [LOG_STORE, ClusterHost],
          useFactory: (store: LogStore, { pacer }: ClusterHost) => new Templates(store, pacer),
        },
        {
          provide: Clusters,
          inject: [LOG_STORE, ClusterHost, Templates, Tenants],
          useFactory: (store: LogStore, host: ClusterHost, templates: Templates, tenants: Tenants) =>
            new Clusters(store, host, templates, tenants, settings.publicUrl),
        },
        {
          provide: ClusterLife,
          inject: [ListenConnection],
          useFactory: (connection: ListenConnection) => new ClusterLife(connection),
        },
        {
          provide: ClusterPauses,
          inject: [Clusters, ClusterHost, LOG_STORE],
          useFactory: (clusters: Clusters, host: ClusterHost, store: LogStore) =>
            new ClusterPauses(clusters, new ClusterClock(host), store),
        },
        {
          provide: CheckWebhooks,
          inject: [Clusters, DATABASE, Identity],
          useFactory: (clusters: Clusters, database: PrismaClient, identity: Identity) =>
            new CheckWebhooks(clusters, database, identity, settings.webhookUrls),
        },
        {
          provide: Forks,
          inject: [Clusters, ClusterHost, LOG_STORE, Identity, Tasks],
          useFactory: (clusters: Clusters, host: ClusterHost, store: LogStore, identity: Identity, tasks: Tasks) =>
            new Forks({ clusters, host, store, identity, tasks }),
        },
        {
          provide: Snapshots,
          inject: [Clusters, ClusterHost, LOG_STORE, Tenants],
          useFactory: (clusters: Clusters, host: ClusterHost, store: LogStore, tenants: Tenants) =>
            new Snapshots(clusters, host, store, tenants),
        },
        {
          provide: Restores,
          inject: [Clusters, ClusterHost, LOG_STORE, Tasks],
          useFactory: (clusters: Clusters, host: ClusterHost, store: LogStore, tasks: Tasks) =>
            new Restores(clusters, host, store, tasks),
        },
        {
          provide: ClusterFiles,
          inject: [Clusters, ClusterHost, Identity, Tasks],
          useFactory: (clusters: Clusters, host: ClusterHost, identity: Identity, tasks: Tasks) =>
            new ClusterFiles(clusters, host, identity, tasks),
        },
        {
          provide: Histories,
          inject: [Clusters, ClusterHost, Identity],
          useFactory: (clusters: Clusters, host: ClusterHost, identity: Identity) =>
            new Histories(clusters, host, identity),
        },
        ...labProviders(),
        {
          provide: ClusterUse,
          inject: [LOG_STORE, LOGGER],
          useFactory: (store: LogStore, logger: Logger) =>
            new ClusterUse({ store, onError: (err) => logger.warn({ err }, 'uses of clusters could not be written') }),
        },
        {
          provide: OperatorClusters,
          inject: [LOG_STORE, Clusters, ClusterHost, Tasks],
          useFactory: (store: LogStore, clusters: Clusters, host: ClusterHost, tasks: Tasks) =>
            new OperatorClusters(store, clusters, host, tasks),
        },
      ],
      exports: [
        SETTINGS,
        LOG_STORE,
        DATABASE,
        TASK_CONNECTION,
        ListenConnection,
        AccessModule,
        Tasks,
        Activity,
        ClusterHost,
        Templates,
        Clusters,
        ClusterLife,
        CheckWebhooks,
        ClusterPauses,
        ClusterUse,
        Forks,
        Snapshots,
        Restores,
        Histories,
        ClusterFiles,
        ...LAB_SERVICES,
        OperatorClusters,
      ],
    };
  }

  /** In this order, so that nothing uses what is closed already. */
  async onApplicationShutdown(): Promise<void> {
    await this.host.close();
    await this.tasks.close();
    await this.announcer.close();
    this.activity.close();
    await this.connection.close();
    await this.use.close();
    await this.store.close();
    await this.database.$disconnect();
  }
}

/** For now nothing is announced to this process: it finds changes of others later. */
const logSilence = (logger: Logger, error: unknown): void =>
  logger.warn({ err: error }, 'changes cannot be announced for now; other processes find them later');

const openListenConnection = ({ databaseUrl }: Settings, logger: Logger): ListenConnection =>
  new ListenConnection({ connectionString: databaseUrl, onError: (error) => logSilence(logger, error) });

const openAnnouncer = ({ redisUrl }: Settings, connection: ListenConnection, logger: Logger): Announcer =>
  redisUrl ? new RedisAnnouncer(redisUrl, (error) => logSilence(logger, error)) : new PostgresAnnouncer(connection);

const openActivity = ({ redisUrl }: Settings, connection: ListenConnection, logger: Logger): Activity =>
  new Activity(
    redisUrl
      ? new RedisActivityChannel(redisUrl, (error) => logSilence(logger, error))
      : new PostgresActivityChannel(connection),
  );

interface HostParts {
  readonly store: LogStore;
  readonly announcer: Announcer;
  readonly tasks: Tasks;
  readonly logger: Logger;
  readonly identity: Identity;
  readonly tenants: Tenants;
  readonly tracing: Tracing | undefined;
  readonly activity: Activity;
  readonly runs: boolean;
  readonly webhookUrls: Settings['webhookUrls'];
  readonly clusterBytes: number;
}

function openHost({ store, announcer, tasks, logger, identity, tenants, ...parts }: HostParts): ClusterHost {
  const host: ClusterHost = new ClusterHost({
    store,
    announcer,
    webhookUrls: parts.webhookUrls,
    limits: { loadedBytes: parts.clusterBytes },
    tracer: parts.tracing,
    tenantLimits: (tenantId) => tenants.limits(tenantId),
    loadEngine: async (row: ClusterRow) =>
      new Cluster({
        seed: String(row.settings['seed']),
        version: parseVersion(String(row.settings['version'] ?? '')),
        images: catalog,
        tokenKey: await identity.tokenKey(row.id),
        ancestorKeys: await Promise.all(forkSettingsOf(row).ancestors?.map((id) => identity.tokenKey(id)) ?? []),
        anchor: forkSettingsOf(row).anchor,
        runs: parts.runs,
        observer: parts.activity.observe(row.id, timeReconciles(host.metrics)),
        onError: (controller, key, error) =>
          logger.debug({ cluster: row.id, controller, key, error: String(error) }, 'a reconcile failed'),
      }),
    onCommitted: (cluster, { wantsAdvance }) => {
      if (wantsAdvance) tasks.advance(cluster, parts.tracing?.current());
    },
    onDeleted: (cluster) => void tasks.forget(cluster),
    onError: (error, cluster) => logger.error({ cluster, err: error }, 'a cluster failed'),
  });
  return host;
}
