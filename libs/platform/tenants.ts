import type { PrismaClient } from './database.js';
import { hashKey, newKey } from './identity.js';

const LOCAL_MAX_CLUSTERS = 20_000;

/** A tenant with one user and a key; the key is returned once and only its hash is kept. */
export async function createTenant(database: PrismaClient, { tenant, user, maxClusters }: { tenant: string; user: string; maxClusters?: number }): Promise<string> {
  const key = newKey();
  const owner = await database.tenant.upsert({ where: { name: tenant }, create: { name: tenant, maxClusters }, update: {} });
  const member = await database.user.upsert({ where: { tenantId_name: { tenantId: owner.id, name: user } }, create: { tenantId: owner.id, name: user }, update: {} });
  await database.apiKey.create({ data: { hash: hashKey(key), tenantId: owner.id, userId: member.id, name: 'first' } });
  return key;
}

/** The key of a developer's own tenant: the one they have when it still works, else a new one. */
export async function ensureFirstTenant(database: PrismaClient, existing: string | undefined): Promise<string> {
  const known = existing ? await database.apiKey.findUnique({ where: { hash: hashKey(existing) } }) : null;
  if (existing && known && !known.revokedAt) return existing;
  return createTenant(database, { tenant: 'local', user: 'admin', maxClusters: LOCAL_MAX_CLUSTERS });
}
