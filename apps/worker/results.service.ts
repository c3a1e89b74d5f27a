import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { ClusterHost, postJson } from '@terrarium/host';
import {
  CheckWebhooks,
  LOGGER,
  openResultsWorker,
  TASK_CONNECTION,
  Tasks,
  type openTaskConnection,
} from '@terrarium/platform';
import type { Logger } from 'pino';
import { repeat } from './repeat.js';
import { sendResults } from './results.js';

const ROUND_MS = 1_000;
const CLUSTERS = 200;
const CONCURRENCY = 8;

/** Finds clusters whose results of checks are to be sent, and sends them as tasks. */
@Injectable()
export class ResultsService implements OnApplicationBootstrap, OnApplicationShutdown {
  private worker: ReturnType<typeof openResultsWorker> | undefined;
  private stop: () => Promise<void> = () => Promise.resolve();

  constructor(
    private readonly host: ClusterHost,
    private readonly webhooks: CheckWebhooks,
    private readonly tasks: Tasks,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(TASK_CONNECTION) private readonly connection: ReturnType<typeof openTaskConnection>,
  ) {}

  onApplicationBootstrap(): void {
    const { host, webhooks, logger } = this;
    const parts = { host, webhooks, post: postJson, now: () => Date.now() };
    this.worker = openResultsWorker(this.connection, CONCURRENCY, ({ data }) => sendResults(parts, data.cluster));
    this.worker.on('error', (error) => logger.warn({ err: error }, 'the queue of results does not answer'));
    this.worker.on('failed', (job, error) =>
      logger.warn({ cluster: job?.data.cluster, err: error }, 'results could not be sent; the next round tries again'),
    );
    this.stop = repeat(() => this.round());
  }

  async onApplicationShutdown(): Promise<void> {
    await this.stop();
    await this.worker?.close();
  }

  private async round(): Promise<number> {
    try {
      for (const cluster of await this.webhooks.listDue(CLUSTERS)) await this.tasks.sendResults(cluster);
    } catch (error) {
      this.logger.warn({ err: error }, 'webhooks of checks could not be looked for');
    }
    return ROUND_MS;
  }
}
