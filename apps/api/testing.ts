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

/** The API with a cluster of the tenant alice, beside the tenant bob, who has none and may have one. */
export interface TwoTenants extends TestApi {
  readonly keys: { readonly alice: string; readonly bob: string };
  /** Alice's cluster. */
  readonly cluster: string;
  /** `from`: the client's address, as a proxy in front of the service tells it. */
  call(method: string, url: string, key?: string, body?: unknown, from?: string): Promise<Response>;
}

export async function startWithTwoTenants(): Promise<TwoTenants> {
  const service = await startTestApi({ TRUSTED_PROXIES: 'loopback' });
  const keys = { alice: await createKey(service, 'alice'), bob: await createKey(service, 'bob', 1) };
  const call: TwoTenants['call'] = (method, url, key, body, from) =>
    fetch(service.api.url + url, {
      method,
      headers: {
        ...(from ? { 'x-forwarded-for': from } : {}),
        ...(key ? { authorization: `Bearer ${key}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  const made = await call('POST', '/v1/clusters', keys.alice, { name: 'hers' });
  const { id: cluster } = (await made.json()) as { id: string };
  return { ...service, keys, cluster, call };
}
