import { Global, Inject, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { catalog } from '@terrarium/containers';
import { Cluster } from '@terrarium/engine';
import { ClusterHost, PostgresAnnouncer, RedisAnnouncer, type Announcer } from '@terrarium/host';
import { openPool, PostgresLogStore, type ClusterRow, type LogStore } from '@terrarium/store';
import { pino, type Logger } from 'pino';
import { Clusters } from './clusters.js';
import { openDatabase, type PrismaClient } from './database.js';
import { Identity } from './identity.js';
import type { Settings } from './settings.js';
import { openTaskConnection, Tasks } from './tasks.js';
import { Templates } from './templates.js';

export const SETTINGS = Symbol('settings');
export const LOG_STORE = Symbol('log store');
export const DATABASE = Symbol('database');
export const ANNOUNCER = Symbol('announcer');
export const LOGGER = Symbol('logger');
/** The connection of BullMQ: shared by the queue and the worker of a process. */
export const TASK_CONNECTION = Symbol('task connection');

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
  ) {}

  static with({ settings, runs }: PlatformOptions): DynamicModule {
    return {
      module: PlatformModule,
      providers: [
        { provide: SETTINGS, useValue: settings },
        { provide: LOGGER, useFactory: () => pino({ level: settings.logLevel, base: undefined }) },
        {
          provide: LOG_STORE,
          useFactory: () => new PostgresLogStore(openPool({ connectionString: settings.databaseUrl, poolSize: 16 })),
        },
        { provide: DATABASE, useFactory: () => openDatabase(settings.databaseUrl) },
        {
          provide: ANNOUNCER,
          useFactory: () =>
            settings.redisUrl ? new RedisAnnouncer(settings.redisUrl) : new PostgresAnnouncer(settings.databaseUrl),
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
          inject: [LOG_STORE, ANNOUNCER, Tasks, LOGGER, Identity],
          useFactory: (store: LogStore, announcer: Announcer, tasks: Tasks, logger: Logger, identity: Identity) =>
            openHost({ store, announcer, tasks, logger, identity, runs, webhookUrls: settings.webhookUrls }),
        },
        { provide: Identity, inject: [DATABASE], useFactory: (database: PrismaClient) => new Identity(database) },
        { provide: Templates, inject: [LOG_STORE], useFactory: (store: LogStore) => new Templates(store) },
        {
          provide: Clusters,
          inject: [LOG_STORE, ClusterHost, Templates, DATABASE],
          useFactory: (store: LogStore, host: ClusterHost, templates: Templates, database: PrismaClient) =>
            new Clusters(store, host, templates, database, settings.publicUrl),
        },
      ],
      exports: [
        SETTINGS,
        LOG_STORE,
        DATABASE,
        LOGGER,
        TASK_CONNECTION,
        Tasks,
        ClusterHost,
        Identity,
        Templates,
        Clusters,
      ],
    };
  }

  /** In this order, so that nothing uses what is closed already. */
  async onApplicationShutdown(): Promise<void> {
    await this.host.close();
    await this.tasks.close();
    await this.announcer.close();
    await this.store.close();
    await this.database.$disconnect();
  }
}

interface HostParts {
  readonly store: LogStore;
  readonly announcer: Announcer;
  readonly tasks: Tasks;
  readonly logger: Logger;
  readonly identity: Identity;
  readonly runs: boolean;
  readonly webhookUrls: Settings['webhookUrls'];
}

const openHost = ({ store, announcer, tasks, logger, identity, runs, webhookUrls }: HostParts): ClusterHost =>
  new ClusterHost({
    store,
    announcer,
    webhookUrls,
    loadEngine: async (row: ClusterRow) =>
      new Cluster({
        seed: String(row.settings['seed']),
        images: catalog,
        tokenKey: await identity.tokenKey(row.id),
        runs,
        onError: (controller, key, error) =>
          logger.debug({ cluster: row.id, controller, key, error: String(error) }, 'a reconcile failed'),
      }),
    onCommitted: (cluster, { wantsAdvance }) => {
      if (wantsAdvance) tasks.advance(cluster);
    },
    onError: (error, cluster) => logger.error({ cluster, err: error }, 'a cluster failed'),
  });
