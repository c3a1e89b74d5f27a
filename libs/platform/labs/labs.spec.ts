import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { KeyPrincipal } from '../identity/principal.js';
import { Refusal } from '../refusal.js';
import { platformDatabase } from '../testing.js';
import { LAB_LABEL, PREPARED_LABEL } from './lab-rows.js';
import { Labs } from './labs.js';

const lab = (spec: object = {}, name = 'shop'): object => ({
  apiVersion: 'terrarium.dev/v1alpha1',
  kind: 'Lab',
  metadata: { name },
  spec: { title: 'A shop', cluster: { nodes: 1 }, steps: [{ title: 'Make', verify: 'true' }], ...spec },
});

let platform: Awaited<ReturnType<typeof platformDatabase>>;
let caller: KeyPrincipal;
let created: { settings: Record<string, unknown>; labels: object; nodes: number }[];
let deleted: string[];
let isGone: boolean;
let paused: string[];
let takeTurn: () => Promise<void>;
let labs: Labs;

beforeAll(async () => void (platform = await platformDatabase()), 60_000);
afterAll(() => platform.close());
beforeEach(async () => {
  const { database } = platform;
  await database.tenant.deleteMany();
  const { id: tenantId } = await database.tenant.create({ data: { name: 'school' } });
  caller = { kind: 'key', tenantId, userId: 'u', userName: 'ann', keyId: 'k', scope: 'manage' };
  [created, deleted, paused, isGone] = [[], [], [], false];
  const clusters = {
    createRows: async (_caller: unknown, [one]: (typeof created)[number][]) => {
      created.push(one!);
      return [{ id: `c${created.length}` }];
    },
    delete: async (_caller: unknown, id: string) => {
      if (isGone) throw new Refusal(404, 'gone');
      deleted.push(id);
    },
  };
  takeTurn = async () => undefined;
  const host = { loopTurns: { next: () => takeTurn() }, fairQueue: { recordCost: () => undefined } };
  const store = { updateLife: async (id: string) => void paused.push(id) };
  const parts = [database, clusters, host, store] as unknown as ConstructorParameters<typeof Labs>;
  labs = new Labs(...parts);
});

const put = (given: unknown, more: { replaces?: boolean; name?: string } = {}) =>
  labs.put(caller, given, { replaces: false, ...more });

test('a lab is prepared as a cluster in which nothing happens, and kept', async () => {
  expect(await put(lab())).toMatchObject({ name: 'shop', title: 'A shop', clusterId: 'c1' });
  expect(created).toMatchObject([
    { nodes: 1, settings: { name: 'lab-shop' }, labels: { [LAB_LABEL]: 'shop', [PREPARED_LABEL]: 'true' } },
  ]);
  expect(paused).toEqual(['c1']);
  expect((await labs.list(caller)).items.map(({ name }) => name)).toEqual(['shop']);
  expect((await labs.get(caller, 'shop')).manifest).toEqual(lab());
}, 60_000);

test('one that takes another’s place takes its cluster’s, too', async () => {
  await put(lab());
  await put(lab({ title: 'A better shop' }), { replaces: true, name: 'shop' });
  expect(deleted).toEqual(['c1']);
  expect(await labs.get(caller, 'shop')).toMatchObject({ title: 'A better shop', clusterId: 'c2' });
}, 60_000);

test.each<[string, unknown, { replaces?: boolean; name?: string }, object]>([
  ['what is no lab', { kind: 'Lab' }, {}, { status: 400 }],
  [
    'another name than the path’s',
    lab(),
    { name: 'other' },
    { status: 400, message: 'metadata.name: must be "other", as in the path' },
  ],
  ['one that does not become ready', lab({ setup: 'exit 3' }), {}, { status: 422 }],
])(
  '%s is refused, and nothing is kept',
  async (_what, given, more, refused) => {
    await expect(put(given, more)).rejects.toMatchObject(refused);
    expect(created).toEqual([]);
    expect((await labs.list(caller)).items).toEqual([]);
    // The next one is not kept from its turn.
    await expect(put(lab())).resolves.toMatchObject({ name: 'shop' });
  },
  60_000,
);

test('a second one of the same name, and two at once, are refused', async () => {
  // The first has its turn only when the second has been answered: how fast each is does not matter.
  let release!: () => void;
  const answered = new Promise<void>((resolve) => (release = resolve));
  const asked = new Promise<void>((resolve) => {
    takeTurn = () => (resolve(), answered);
  });
  const first = put(lab());
  await asked;
  await expect(put(lab({}, 'other'))).rejects.toMatchObject({ status: 429 });
  release();
  const kept = (await first).name;
  await expect(put(lab({}, kept))).rejects.toMatchObject({ status: 409, message: `a lab "${kept}" exists already` });
}, 60_000);

test.each([false, true])(
  'a lab goes with its cluster, also when that has gone before: %j',
  async (gone) => {
    await put(lab());
    isGone = gone;
    await labs.delete(caller, 'shop');
    expect(deleted).toEqual(gone ? [] : ['c1']);
    expect((await labs.list(caller)).items).toEqual([]);
    await expect(labs.delete(caller, 'shop')).rejects.toMatchObject({ status: 404 });
  },
  60_000,
);

test('a token of one cluster makes no labs', async () => {
  const token = { kind: 'token', tenantId: caller.tenantId } as never;
  await expect(labs.put(token, lab(), { replaces: false })).rejects.toMatchObject({ status: 403 });
});
