import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { LOG_STORE, LOGGER, openTaskConnection, openWorker, TASK_CONNECTION, Tasks } from '@terrarium/platform';
import type { LogStore } from '@terrarium/store';
import type { Logger } from 'pino';
import { Advancer } from './advance.js';
import { startSweep } from './sweep.js';

export const logFailure = (logger: Logger, cluster: string | undefined, err: unknown): void =>
  logger.warn({ cluster, err }, 'a cluster could not be advanced; the sweep will try again');

/** Runs BullMQ's worker and the sweep. */
@Injectable()
export class WorkerService implements OnApplicationBootstrap, OnApplicationShutdown {
  private worker: ReturnType<typeof openWorker> | undefined;
  private stopSweep: () => Promise<void> = () => Promise.resolve();

  constructor(
    private readonly advancer: Advancer,
    private readonly tasks: Tasks,
    @Inject(LOG_STORE) private readonly store: LogStore,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(TASK_CONNECTION) private readonly connection: ReturnType<typeof openTaskConnection>,
  ) {}

  onApplicationBootstrap(): void {
    const { advancer, tasks, store, logger } = this;
    this.worker = openWorker(this.connection, advancer.concurrency, ({ data }, lock) => advancer.work(data, lock));
    this.worker.on('error', (error) => logger.warn({ err: error }, 'the queue does not answer'));
    this.worker.on('failed', (job, error) => logFailure(logger, job?.data.cluster, error));
    this.stopSweep = startSweep({ store, tasks, onError: (error) => logger.warn({ err: error }, 'the sweep failed') });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.stopSweep();
    await this.worker?.close();
    await this.advancer.close();
  }
}
