import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ensureOperatorKey } from './operator-key.js';
import { platformDatabase } from '../../testing.js';

let platform: Awaited<ReturnType<typeof platformDatabase>>;
beforeAll(async () => void (platform = await platformDatabase()), 60_000);
afterAll(() => platform.close());

test('there is a key once, and another when the caller has none that is valid', async () => {
  const { database } = platform;
  const key = await ensureOperatorKey(database, undefined);
  expect(key).toMatch(/^op_/);
  expect(JSON.stringify(await database.operatorKey.findMany())).not.toContain(key);
  expect(await ensureOperatorKey(database, undefined)).toBeUndefined();
  expect(await ensureOperatorKey(database, key)).toBe(key);
  const second = await ensureOperatorKey(database, '');
  expect(second).not.toBe(key);
  await database.operatorKey.updateMany({ data: { revokedAt: new Date() } });
  const third = await ensureOperatorKey(database, second);
  expect([key, second]).not.toContain(third);
  expect(await ensureOperatorKey(database, undefined)).toBeUndefined();
});
