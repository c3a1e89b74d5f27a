import { generateOperatorKey, hashKey } from '../credentials.js';
import type { PrismaClient } from '../../database.js';

/**
 * A key of the operator: the existing one when it is valid, else a new one, of which only the hash is kept. Undefined
 * when `existing` is undefined and there is a key already.
 */
export async function ensureOperatorKey(
  { operatorKey }: Pick<PrismaClient, 'operatorKey'>,
  existing: string | undefined,
): Promise<string | undefined> {
  const known = existing ? await operatorKey.findUnique({ where: { hash: hashKey(existing) } }) : null;
  if (existing && known && !known.revokedAt) return existing;
  if (existing === undefined && (await operatorKey.findFirst({ where: { revokedAt: null } }))) return undefined;
  const key = generateOperatorKey();
  await operatorKey.create({ data: { hash: hashKey(key), name: 'first' } });
  return key;
}
