import { createTenant, readSettings } from '@terrarium/platform';
import { migrate, openPool } from '@terrarium/store';
import type { PrismaClient } from '../../libs/platform/database.js';
import { platformDatabase } from '../../libs/platform/testing.js';
import { startApi, type Api } from './bootstrap.js';

export interface TestApi {
  readonly api: Api;
  readonly database: PrismaClient;
  readonly databaseUrl: string;
  close(): Promise<void>;
}

/**
 * The API on a free port, with an empty database of its own; clusters' components do not run. `env` adds settings
 * or replaces some.
 */
export async function startTestApi(env: Readonly<Record<string, string>> = {}): Promise<TestApi> {
  const { url, database, close } = await platformDatabase();
  const pool = openPool({ connectionString: url, poolSize: 1 });
  await migrate(pool);
  await pool.end();
  const api = await startApi(
    readSettings({
      DATABASE_URL: url,
      PORT: '0',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'silent',
      PUBLIC_URL: 'http://127.0.0.1:1',
      ...env,
    }),
  );
  return {
    api,
    database,
    databaseUrl: url,
    close: async () => {
      await api.close();
      await close();
    },
  };
}

/** A key of a new tenant. */
export const createKey = (
  { database }: Pick<TestApi, 'database'>,
  tenant: string,
  maxClusters?: number,
): Promise<string> => createTenant(database, { tenant, user: tenant, maxClusters });
