import { PrismaPg } from '@prisma/adapter-pg';
import { ENTER_TENANT } from '@terrarium/store';
import { PrismaClient } from './generated/client.js';

const CONNECTIONS = 5;

export { PrismaClient };

/** The tables that have rows of a tenant. */
export type TenantTables = Pick<
  PrismaClient,
  'tenant' | 'user' | 'apiKey' | 'accessToken' | 'checkWebhook' | 'lab' | 'labAct'
>;

/**
 * The tables as this tenant's requests see them: each operation runs in a transaction of the role terrarium_tenant, to
 * which row-level security shows only the tenant's rows, also when the operation forgets to ask for them.
 */
export function forTenant(database: PrismaClient, tenantId: string): TenantTables {
  const tables = database.$extends({
    query: {
      $allModels: {
        async $allOperations({ args, query }) {
          const enter = database.$queryRawUnsafe(ENTER_TENANT, tenantId);
          const [, result] = await database.$transaction([enter, query(args) as typeof enter]);
          return result;
        },
      },
    },
  });
  return tables as unknown as TenantTables;
}

/** Prisma over node-postgres, for the platform's own nouns: nothing on the hot path goes through it. */
export const openDatabase = (connectionString: string): PrismaClient =>
  new PrismaClient({ adapter: new PrismaPg({ connectionString, max: CONNECTIONS, connectionTimeoutMillis: 5_000 }) });
