import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { ClusterRow } from '@terrarium/store';
import { platformDatabase } from '../testing.js';
import { LabActs } from './acts.js';
import { LAB_LABEL, LEARNER_LABEL } from './lab-rows.js';

let platform: Awaited<ReturnType<typeof platformDatabase>>;
let tenantId: string;
let revision: number;
let acts: LabActs;

beforeAll(async () => void (platform = await platformDatabase()), 60_000);
afterAll(() => platform.close());
beforeEach(async () => {
  const { database } = platform;
  await database.tenant.deleteMany();
  tenantId = (await database.tenant.create({ data: { name: 'school' } })).id;
  revision = 0;
  const clusters: Record<string, object> = {
    ada: { [LAB_LABEL]: 'shop', [LEARNER_LABEL]: 'ada' },
    bob: { [LAB_LABEL]: 'shop', [LEARNER_LABEL]: 'bob' },
    own: { [LAB_LABEL]: 'shop' },
  };
  const cluster = async (id: string) => ({ id, tenantId, labels: clusters[id] ?? {} }) as unknown as ClusterRow;
  acts = new LabActs(database, { cluster }, async () => ({ revision: ++revision, virtual: revision * 1_000.5 }));
});
const told = async (id: string, limit = 10, after?: bigint): Promise<string[]> =>
  (await acts.list(tenantId, id, limit, after)).map(({ kind, step, text, done }) => [kind, step, text, done].join(' '));

test('acts are kept in their order, with the moment and the lab', async () => {
  await acts.record('ada', { kind: 'enter', step: 'one' });
  await acts.record('ada', { kind: 'verify', step: 'one', text: 'not\0 yet', done: false });
  await acts.record('bob', { kind: 'enter', step: 'two' });
  expect(await told('ada')).toEqual(['enter one  false', 'verify one not yet false']);
  const [first] = await acts.list(tenantId, 'ada', 1);
  expect(first).toMatchObject({ lab: 'shop', revision: 1, virtual: 1_000n });
  expect(await told('ada', 10, first!.id)).toEqual(['verify one not yet false']);
});

test.each(['own', 'unknown'])('nothing is kept of %s, which is no learner’s', async (id) => {
  await acts.record(id, { kind: 'enter', step: 'one' });
  expect(await told(id)).toEqual([]);
});

test('which steps were begun and which are done is known, by cluster', async () => {
  await acts.record('ada', { kind: 'enter', step: 'one' });
  await acts.record('ada', { kind: 'verify', step: 'one', done: false });
  await acts.record('bob', { kind: 'verify', step: 'two', done: true });
  expect(await acts.hasEntered(tenantId, 'ada', 'one')).toBe(true);
  expect(await acts.hasEntered(tenantId, 'ada', 'two')).toBe(false);
  expect(await acts.hasEntered(tenantId, 'bob', 'two')).toBe(false);
  expect(await acts.doneSteps(tenantId, 'shop')).toEqual(new Map([['bob', new Set(['two'])]]));
});

test('another tenant sees nothing of it', async () => {
  await acts.record('ada', { kind: 'enter', step: 'one' });
  const other = (await platform.database.tenant.create({ data: { name: 'other' } })).id;
  expect(await acts.list(other, 'ada', 10)).toEqual([]);
  expect(await acts.hasEntered(other, 'ada', 'one')).toBe(false);
});
