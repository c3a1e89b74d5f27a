import type { LogStore } from '@terrarium/store';
import type { PrismaClient } from '../../database.js';

/** A key that was revoked or has ended can be looked up so long. */
const KEPT_MS = 30 * 24 * 60 * 60_000;
/** Clusters that are looked up at once. */
const PAGE = 500;

/** Deletes keys and tokens that nobody can use any more: housekeeping calls it now and then. */
export class StaleCredentials {
  constructor(
    private readonly database: Pick<PrismaClient, 'accessToken' | 'apiKey' | 'session' | 'signInLink' | '$queryRaw'>,
    private readonly store: Pick<LogStore, 'heads'>,
  ) {}

  /** Tokens that have ended, were revoked, or whose cluster is gone; keys some time after their end. */
  async prune(now = Date.now()): Promise<void> {
    const ended = { lte: new Date(now) };
    const longEnded = { lte: new Date(now - KEPT_MS) };
    await this.database.accessToken.deleteMany({ where: { OR: [{ expiresAt: ended }, { revokedAt: { not: null } }] } });
    await this.database.session.deleteMany({ where: { OR: [{ expiresAt: ended }, { revokedAt: { not: null } }] } });
    await this.database.signInLink.deleteMany({ where: { expiresAt: ended } });
    await this.database.apiKey.deleteMany({ where: { OR: [{ expiresAt: longEnded }, { revokedAt: longEnded }] } });
    await this.pruneOrphans();
  }

  private async pruneOrphans(): Promise<void> {
    let ids: string[] = [];
    do {
      ids = await this.listClusters(ids.at(-1) ?? '');
      const existing = await this.store.heads(ids);
      const gone = ids.filter((id) => !existing.has(id));
      if (gone.length > 0) await this.database.accessToken.deleteMany({ where: { clusterId: { in: gone } } });
    } while (ids.length === PAGE);
  }

  private async listClusters(after: string): Promise<string[]> {
    const rows = await this.database.$queryRaw<{ id: string }[]>`
      select distinct cluster_id as id from platform.access_token where cluster_id > ${after} order by 1 limit ${PAGE}`;
    return rows.map(({ id }) => id);
  }
}
