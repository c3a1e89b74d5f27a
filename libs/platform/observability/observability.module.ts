import {
  Global,
  Inject,
  Module,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { Logger } from 'pino';
import { Counter, Registry } from 'prom-client';
import type { Settings } from '../settings.js';
import { openLog, type ProcessLog } from './logger.js';
import { ObservabilityServer } from './observability-server.js';
import { registerProcessMetrics } from './process-metrics.js';
import { Readiness } from './readiness.js';
import { Tracing } from './tracing.js';

export const LOGGER = Symbol('logger');
/** Tracing; undefined when traces are switched off. */
export const TRACING = Symbol('tracing');
const LOG = Symbol('log');
const SERVER = Symbol('observability server');
const PROCESS_METRICS = Symbol('process metrics');

type ObservabilitySettings = Pick<Settings, 'logLevel' | 'observabilityPort' | 'host' | 'otlpEndpoint' | 'tracesRatio'>;

/** Log, metrics, readiness, and the port on which an operator reads the latter two. */
@Global()
@Module({})
export class ObservabilityModule implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown {
  constructor(
    private readonly readiness: Readiness,
    @Inject(LOG) private readonly log: ProcessLog,
    @Inject(SERVER) private readonly server: ObservabilityServer | undefined,
    @Inject(PROCESS_METRICS) private readonly endProcessMetrics: () => void,
    @Inject(TRACING) private readonly tracing: Tracing | undefined,
  ) {}

  /** `serviceName`: how traces name this process. */
  static with(settings: ObservabilitySettings, serviceName: string): DynamicModule {
    return {
      module: ObservabilityModule,
      providers: [
        { provide: Registry, useFactory: () => new Registry() },
        { provide: Readiness, useFactory: () => new Readiness() },
        { provide: PROCESS_METRICS, inject: [Registry], useFactory: registerProcessMetrics },
        { provide: LOG, inject: [Registry], useFactory: (registry: Registry) => openCountedLog(settings, registry) },
        { provide: LOGGER, inject: [LOG], useFactory: ({ logger }: ProcessLog) => logger },
        {
          provide: TRACING,
          inject: [LOGGER],
          useFactory: (logger: Logger) => openTracing(settings, serviceName, logger),
        },
        {
          provide: SERVER,
          inject: [Registry, Readiness, LOGGER],
          useFactory: (registry: Registry, readiness: Readiness, logger: Logger) =>
            listen(settings, { registry, readiness, logger }),
        },
      ],
      exports: [Registry, Readiness, LOGGER, TRACING],
    };
  }

  onApplicationBootstrap(): void {
    this.readiness.markReady();
  }

  onModuleDestroy(): void {
    this.readiness.drain();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.server?.close();
    await this.tracing?.close();
    this.endProcessMetrics();
    this.log.close();
  }
}

function openCountedLog({ logLevel }: ObservabilitySettings, registry: Registry): ProcessLog {
  const messages = new Counter<'level'>({
    name: 'terrarium_log_messages_total',
    help: 'Warnings and errors that were logged, by level.',
    labelNames: ['level'],
    registers: [registry],
  });
  const log = openLog(logLevel, messages);
  new Counter({
    name: 'terrarium_log_lines_dropped_total',
    help: 'Lines of the log that were dropped, since the reader of standard output had stopped reading.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(log.dropped());
    },
  });
  return log;
}

async function openTracing(
  { otlpEndpoint, tracesRatio }: ObservabilitySettings,
  serviceName: string,
  logger: Logger,
): Promise<Tracing | undefined> {
  if (otlpEndpoint === undefined) return undefined;
  const onError = (error: unknown): void => logger.warn({ err: error }, 'traces could not be sent');
  return Tracing.open({ endpoint: otlpEndpoint, serviceName, ratio: tracesRatio, onError });
}

async function listen(
  { observabilityPort, host }: ObservabilitySettings,
  { registry, readiness, logger }: { registry: Registry; readiness: Readiness; logger: Logger },
): Promise<ObservabilityServer | undefined> {
  if (observabilityPort === undefined) return undefined;
  const onError = (error: unknown): void => logger.error({ err: error }, 'health or metrics could not be told');
  const server = await ObservabilityServer.listen({ port: observabilityPort, host, registry, readiness, onError });
  logger.info({ port: server.port }, 'health, readiness and metrics are served');
  return server;
}
