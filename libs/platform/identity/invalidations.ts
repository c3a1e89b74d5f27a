import type { ListenConnection } from '@terrarium/store';
import type { PrismaClient } from '../database.js';

const CHANNEL = 'terrarium_platform';
/** In place of a tenant: everything. */
const ALL = '*';

export interface InvalidationListener {
  /** Forgets what is cached of one tenant; without one, of all. */
  forget(tenantId?: string): void;
}

/**
 * Tells every process, its own at once, that a tenant's keys, tokens, users or limits have changed. Announcements may
 * be lost while the database is away: caches must end by themselves, too.
 */
export class Invalidations {
  private readonly listeners: InvalidationListener[] = [];

  constructor(
    private readonly database: Pick<PrismaClient, '$executeRaw'>,
    connection: Pick<ListenConnection, 'listen'>,
  ) {
    connection.listen({
      name: CHANNEL,
      onNotification: (payload) => this.forget(payload === ALL ? undefined : payload),
      onConnected: (missed) => {
        if (missed) this.forget(undefined);
      },
    });
  }

  listen(listener: InvalidationListener): void {
    this.listeners.push(listener);
  }

  /** Resolves when the announcement is on its way; this process has forgotten then. */
  async publish(tenantId?: string): Promise<void> {
    this.forget(tenantId);
    await this.database.$executeRaw`select pg_notify(${CHANNEL}, ${tenantId ?? ALL})`;
  }

  private forget(tenantId: string | undefined): void {
    for (const listener of this.listeners) listener.forget(tenantId);
  }
}
