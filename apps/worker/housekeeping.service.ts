import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { ClusterHost } from '@terrarium/host';
import { LOG_STORE, LOGGER, StaleCredentials, Tenants } from '@terrarium/platform';
import type { LogStore } from '@terrarium/store';
import type { Logger } from 'pino';
import { startHousekeeping } from './housekeeping.js';

/** Runs the housekeeping as long as the worker runs. An error is logged and counted, and the next round tries again. */
@Injectable()
export class HousekeepingService implements OnApplicationBootstrap, OnApplicationShutdown {
  private stop: () => Promise<void> = () => Promise.resolve();

  constructor(
    private readonly host: ClusterHost,
    private readonly tenants: Tenants,
    private readonly credentials: StaleCredentials,
    @Inject(LOG_STORE) private readonly store: LogStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const { host, tenants, credentials, store, logger } = this;
    this.stop = startHousekeeping({
      store,
      host,
      credentials,
      tenantLimits: (tenantId) => tenants.limits(tenantId),
      onDone: (chore, count) => host.metrics.recordChore(chore, count),
      onError: (chore, error) => {
        host.metrics.housekeepingErrors++;
        logger.warn({ chore, err: error }, 'a chore of housekeeping failed; the next round tries again');
      },
    });
  }

  onApplicationShutdown(): Promise<void> {
    return this.stop();
  }
}
