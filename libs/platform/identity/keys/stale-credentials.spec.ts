import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { MemoryLogStore } from '@terrarium/store';
import { hashKey } from '../credentials.js';
import { createTenant } from '../../tenants/first-tenant.js';
import { StaleCredentials } from './stale-credentials.js';
import { platformDatabase } from '../../testing.js';

const DAY_MS = 24 * 60 * 60_000;
const NOW = Date.UTC(2026, 0, 1);
const at = (days: number): Date => new Date(NOW + days * DAY_MS);

let platform: Awaited<ReturnType<typeof platformDatabase>>;
let store: MemoryLogStore;
let key: { tenantId: string; userId: string; id: string };
beforeAll(async () => void (platform = await platformDatabase()), 60_000);
afterAll(() => platform.close());
beforeEach(async () => {
  await platform.database.tenant.deleteMany();
  store = new MemoryLogStore();
  await store.createCluster({ id: 'c1', tenantId: 'a', settings: {}, nodes: 0, createdAt: 0 });
  const hash = hashKey(await createTenant(platform.database, { tenant: 'acme', user: 'jane' }));
  key = await platform.database.apiKey.findUniqueOrThrow({ where: { hash } });
});

const createToken = (clusterId: string, subject: string, expiresAt: Date, revokedAt?: Date) =>
  platform.database.accessToken.create({
    data: {
      ...{ tenantId: key.tenantId, userId: key.userId },
      clusterId,
      subject,
      scope: 'read',
      expiresAt,
      revokedAt,
    },
  });
const createKey = (name: string, end: { expiresAt?: Date; revokedAt?: Date }) =>
  platform.database.apiKey.create({
    data: { tenantId: key.tenantId, userId: key.userId, name, hash: name, ...end },
  });
const prune = () => new StaleCredentials(platform.database, store).prune(NOW);

test('tokens that have ended, were revoked, or whose cluster is gone are deleted', async () => {
  await createToken('c1', 'valid', at(1));
  await createToken('c1', 'ended', at(0));
  await createToken('c1', 'revoked', at(1), at(-1));
  await createToken('c2', 'of a deleted cluster', at(1));
  await prune();
  expect((await platform.database.accessToken.findMany()).map((token) => token.subject)).toEqual(['valid']);
});

test('many clusters are looked up page by page', async () => {
  const data = Array.from({ length: 1_001 }, (_, i) => ({
    ...{ tenantId: key.tenantId, userId: key.userId, scope: 'read' as const, expiresAt: at(1) },
    clusterId: i === 700 ? 'c1' : `gone-${i}`,
  }));
  await platform.database.accessToken.createMany({ data });
  await prune();
  expect((await platform.database.accessToken.findMany()).map((token) => token.clusterId)).toEqual(['c1']);
});

test('keys are deleted a month after their end', async () => {
  await createKey('valid', { expiresAt: at(1) });
  await createKey('just revoked', { revokedAt: at(-29) });
  await createKey('just ended', { expiresAt: at(-29) });
  await createKey('revoked', { revokedAt: at(-30) });
  await createKey('ended', { expiresAt: at(-30) });
  await prune();
  const names = (await platform.database.apiKey.findMany()).map(({ name }) => name).sort();
  expect(names).toEqual(['first', 'just ended', 'just revoked', 'valid']);
});
