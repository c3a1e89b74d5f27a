import { Controller, Get, Header, Inject, ServiceUnavailableException } from '@nestjs/common';
import { ClusterHost } from '@terrarium/host';
import { LOG_STORE } from '@terrarium/platform';
import type { LogStore } from '@terrarium/store';
import { collectDefaultMetrics, Counter, Registry } from 'prom-client';

/** For whoever watches the process; says nothing about any tenant. */
@Controller()
export class HealthRoutes {
  private readonly registry = new Registry();

  constructor(
    private readonly host: ClusterHost,
    @Inject(LOG_STORE) private readonly store: LogStore,
  ) {
    collectDefaultMetrics({ register: this.registry });
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

  private count(name: keyof ClusterHost['metrics']): void {
    const { host } = this;
    const snake = name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);
    new Counter({
      name: `terrarium_${snake}_total`,
      help: `Host counter ${name}, since the process started.`,
      registers: [this.registry],
      collect() {
        this.reset();
        this.inc(host.metrics[name]);
      },
    });
  }
}
