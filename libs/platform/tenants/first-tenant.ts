import { generateKey, hashKey } from '../identity/credentials.js';
import type { PrismaClient } from '../database.js';
import type { LimitsPatch } from './tenant-nouns.js';
import { toColumns } from './tenants.js';

const FIRST_TENANT = 'local';
/** Of a tenant that has the machine for itself. */
const LOCAL_LIMITS: LimitsPatch = {
  clusters: 20_000,
  nodes: 1_000_000,
  bytes: 64 * 1024 ** 3,
};

/** Creates a tenant with one user and a key. Returns the key, of which only the hash is kept. */
export async function createTenant(
  database: Pick<PrismaClient, 'tenant' | 'user' | 'apiKey'>,
  {
    tenant,
    user,
    maxClusters,
    limits = {},
  }: {
    tenant: string;
    user: string;
    maxClusters?: number;
    limits?: LimitsPatch;
  },
): Promise<string> {
  const key = generateKey();
  const owner = await database.tenant.upsert({
    where: { name: tenant },
    create: { name: tenant, ...toColumns({ clusters: maxClusters, ...limits }) },
    update: {},
  });
  const member = await database.user.upsert({
    where: { tenantId_name: { tenantId: owner.id, name: user } },
    create: { tenantId: owner.id, name: user },
    update: {},
  });
  await database.apiKey.create({ data: { hash: hashKey(key), tenantId: owner.id, userId: member.id, name: 'first' } });
  return key;
}

/**
 * A key of the first tenant: the existing one when it is valid, else a new one. Undefined when `existing` is undefined
 * and the tenant has a key already: only its hash is kept.
 */
export async function ensureFirstTenant(
  database: PrismaClient,
  existing: string | undefined,
): Promise<string | undefined> {
  const known = existing ? await database.apiKey.findUnique({ where: { hash: hashKey(existing) } }) : null;
  if (existing && known && !known.revokedAt) return existing;
  if (
    existing === undefined &&
    (await database.apiKey.findFirst({ where: { tenant: { name: FIRST_TENANT }, revokedAt: null } }))
  )
    return undefined;
  return createTenant(database, { tenant: FIRST_TENANT, user: 'admin', limits: LOCAL_LIMITS });
}
