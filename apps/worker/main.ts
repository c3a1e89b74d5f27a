import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ClusterHost } from '@terrarium/host';
import {
  Clusters,
  LOGGER,
  PlatformModule,
  readSettings,
  Tasks,
  Tenants,
  TRACING,
  waitForShutdown,
  type Tracing,
} from '@terrarium/platform';
import type { Logger } from 'pino';
import { Advancer } from './advance.js';
import { HousekeepingService } from './housekeeping.service.js';
import { ResultsService } from './results.service.js';
import { logFailure, WorkerService } from './worker.service.js';

const settings = readSettings();

const advancer = {
  provide: Advancer,
  inject: [ClusterHost, Tasks, Clusters, Tenants, LOGGER, TRACING],
  useFactory: (
    host: ClusterHost,
    tasks: Tasks,
    clusters: Clusters,
    tenants: Tenants,
    logger: Logger,
    tracer: Tracing | undefined,
  ) => {
    const onError = (cluster: string, error: unknown): void => logFailure(logger, cluster, error);
    return new Advancer({ host, tasks, clusters, tenants, tracer, onError, concurrency: settings.concurrency });
  },
};

@Module({
  imports: [PlatformModule.with({ settings, runs: true })],
  providers: [advancer, WorkerService, HousekeepingService, ResultsService],
})
class WorkerModule {}

// From the beginning, so that a start that waits for its database ends with its parent too.
const shutdown = waitForShutdown();
const app = await NestFactory.createApplicationContext(WorkerModule, { logger: false, abortOnError: false });
app.get<Logger>(LOGGER).info('the worker runs');
if (process.send) process.send('ready');
const exitCode = await shutdown;
await app.close();
process.exit(exitCode);
