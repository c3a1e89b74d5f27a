import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { LOGGER, PlatformModule, readSettings, waitForShutdown } from '@terrarium/platform';
import type { Logger } from 'pino';
import { WorkerService } from './worker.service.js';

@Module({ imports: [PlatformModule.with({ settings: readSettings(), runs: true })], providers: [WorkerService] })
class WorkerModule {}

// From the beginning, so that a start that waits for its database ends with its parent too.
const shutdown = waitForShutdown();
const app = await NestFactory.createApplicationContext(WorkerModule, { logger: false, abortOnError: false });
app.get<Logger>(LOGGER).info('the worker runs');
if (process.send) process.send('ready');
await shutdown;
await app.close();
process.exit(0);
