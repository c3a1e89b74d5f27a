import { Controller, Get, Header, Inject, ServiceUnavailableException } from '@nestjs/common';
import { ClusterHost } from '@terrarium/host';
import { LOG_STORE } from '@terrarium/platform';
import type { LogStore } from '@terrarium/store';
import { Counter, Gauge, Registry } from 'prom-client';

/** Health and metrics of this process; they say nothing about any tenant. */
@Controller()
export class HealthRoutes {
  private readonly registry = new Registry();

  constructor(
    private readonly host: ClusterHost,
    @Inject(LOG_STORE) private readonly store: LogStore,
  ) {
    this.gauge('process_cpu_seconds', 'User and system time, in seconds.', () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    });
    this.gauge('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss());
    this.gauge('nodejs_heap_used_bytes', 'The heap that is in use.', () => process.memoryUsage().heapUsed);
    this.gauge(
      'nodejs_eventloop_utilization',
      'Share of the time since the start that the event loop was busy.',
      () => performance.eventLoopUtilization().utilization,
    );
    this.gauge('terrarium_warm_clusters', 'Host gauge warmClusters.', () => host.gauges().loadedClusters);
    this.gauge('terrarium_warm_bytes', 'Host gauge warmBytes.', () => host.gauges().loadedBytes);
    this.gauge('terrarium_listeners', 'Host gauge listeners.', () => host.gauges().listeners);
    for (const name of Object.keys(host.metrics) as (keyof ClusterHost['metrics'])[]) this.count(name);
  }

  @Get('healthz')
  healthz(): string {
    return 'ok';
  }

  /** Ready when the log answers. */
  @Get('readyz')
  async readyz(): Promise<string> {
    try {
      await this.store.heads(['none']);
      return 'ok';
    } catch {
      throw new ServiceUnavailableException('the database does not answer');
    }
  }

  @Get('metrics')
  @Header('content-type', 'text/plain; version=0.0.4')
  metrics(): Promise<string> {
    return this.registry.metrics();
  }

  /**
   * A gauge that is read when metrics are requested: prom-client's default metrics keep a timer of 10 ms, which costs
   * more than all idle clusters.
   */
  private gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }

  private count(name: keyof ClusterHost['metrics']): void {
    const { host } = this;
    new Counter({
      name: `terrarium_${snakeCase(name)}_total`,
      help: `Host counter ${name}, since the process started.`,
      registers: [this.registry],
      collect() {
        this.reset();
        this.inc(host.metrics[name]);
      },
    });
  }
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);
