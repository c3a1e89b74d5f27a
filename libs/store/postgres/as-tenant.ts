import pg from 'pg';
import { inTransaction, type Queryable } from './pool.js';

/**
 * Makes the rest of a transaction a tenant's: the role terrarium_tenant sees, by row-level security, only the rows of
 * the tenant that $1 names.
 */
export const ENTER_TENANT = `select set_config('role', 'terrarium_tenant', true), set_config('terrarium.tenant', $1, true)`;

/** Runs queries that can see this tenant's clusters only, also when they forget to ask for its rows. */
export function asTenant<T>(pool: pg.Pool, tenantId: string, run: (on: Queryable) => Promise<T>): Promise<T> {
  const enter = ENTER_TENANT.replace('$1', () => pg.escapeLiteral(tenantId));
  return inTransaction(pool, run, `begin; ${enter}`);
}
