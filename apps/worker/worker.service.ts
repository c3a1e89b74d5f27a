import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { ClusterHost } from '@terrarium/host';
import {
  LOG_STORE,
  LOGGER,
  openWorker,
  SETTINGS,
  TASK_CONNECTION,
  openTaskConnection,
  Tasks,
  type Settings,
} from '@terrarium/platform';
import type { LogStore } from '@terrarium/store';
import type { Logger } from 'pino';
import { advance } from './advance.js';
import { startSweep } from './sweep.js';

/** Runs BullMQ's worker and the sweep. */
@Injectable()
export class WorkerService implements OnApplicationBootstrap, OnApplicationShutdown {
  private worker: ReturnType<typeof openWorker> | undefined;
  private stopSweep: () => void = () => undefined;

  constructor(
    private readonly host: ClusterHost,
    private readonly tasks: Tasks,
    @Inject(LOG_STORE) private readonly store: LogStore,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(TASK_CONNECTION) private readonly connection: ReturnType<typeof openTaskConnection>,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    const { host, tasks, store, logger } = this;
    this.worker = openWorker(this.connection, this.settings.concurrency, ({ data }) =>
      advance({ host, tasks }, data.cluster),
    );
    this.worker.on('error', (error) => logger.warn({ err: error }, 'the queue does not answer'));
    this.worker.on('failed', (job, error) =>
      logger.warn(
        { cluster: job?.data.cluster, err: error },
        'a cluster could not be advanced; the sweep will try again',
      ),
    );
    this.stopSweep = startSweep({ store, tasks, onError: (error) => logger.warn({ err: error }, 'the sweep failed') });
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopSweep();
    await this.worker?.close();
  }
}
