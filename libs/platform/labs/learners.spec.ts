import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { ClusterRow } from '@terrarium/store';
import type { KeyPrincipal } from '../identity/principal.js';
import { platformDatabase } from '../testing.js';
import { LAB_LABEL, LEARNER_LABEL, PREPARED_LABEL } from './lab-rows.js';
import { Learners, MAX_LEARNERS } from './learners.js';

const source = {
  apiVersion: 'terrarium.dev/v1alpha1',
  kind: 'Lab',
  metadata: { name: 'shop' },
  spec: {
    title: 'A shop',
    steps: [
      { title: 'Make', verify: 'true' },
      { title: 'Scale', verify: 'true' },
    ],
  },
};

let platform: Awaited<ReturnType<typeof platformDatabase>>;
let caller: KeyPrincipal;
let rows: ClusterRow[];
let forked: object[];
let learners: Learners;

const rowOf = (id: string, labels: object): ClusterRow => ({ id, labels, tenantId: 't' }) as unknown as ClusterRow;
const learnerRow = (name: string): ClusterRow => rowOf(`c-${name}`, { [LAB_LABEL]: 'shop', [LEARNER_LABEL]: name });

beforeAll(async () => void (platform = await platformDatabase()), 60_000);
afterAll(() => platform.close());
beforeEach(async () => {
  const { database } = platform;
  await database.tenant.deleteMany();
  const { id: tenantId } = await database.tenant.create({ data: { name: 'school' } });
  await database.lab.create({ data: { tenantId, name: 'shop', source, clusterId: 'p', clusterRevision: 7 } });
  caller = { kind: 'key', tenantId, userId: 'u', userName: 'ann', keyId: 'k', scope: 'manage' };
  rows = [rowOf('p', { [LAB_LABEL]: 'shop', [PREPARED_LABEL]: 'true' })];
  forked = [];
  const parts = {
    database,
    clusters: { toCluster: ({ id }: ClusterRow) => ({ id, state: 'running', revision: 8, lastUsedAt: 'now' }) },
    forks: {
      fork: async (_caller: unknown, clusterId: string, forks: object, own: readonly { name: string }[]) => {
        forked.push({ clusterId, ...forks, names: own.map(({ name }) => name) });
        return { items: own.map(({ name }) => ({ id: `id-${name}` })) };
      },
    },
    store: {
      list: async (_tenant: string, { labels }: { labels: Record<string, string> }) =>
        rows.filter((row) => Object.entries(labels).every(([key, value]) => row.labels[key] === value)),
    },
    tokens: { create: async (_caller: unknown, clusterId: string, token: object) => ({ clusterId, ...token }) },
    acts: { doneSteps: async () => new Map([['c-bob', new Set(['step-1'])]]) },
    reports: { of: async () => ({ score: 0, points: 0, checks: [], lastCommand: 'ls' }) },
  };
  learners = new Learners(parts as unknown as ConstructorParameters<typeof Learners>[0]);
});

test('learners begin at the prepared cluster, under names that are free', async () => {
  rows.push(learnerRow('learner-2'));
  const { items } = await learners.start(caller, 'shop', { count: 2 });
  expect(items.map(({ name }) => name)).toEqual(['learner-1', 'learner-3']);
  expect(forked).toMatchObject([{ clusterId: 'p', at: '7', count: 2, names: ['shop-learner-1', 'shop-learner-3'] }]);
});

test.each<[string, object, object]>([
  ['a name that there is', { names: ['ada'] }, { status: 409, message: 'a learner "ada" exists already' }],
  ['too many', { count: MAX_LEARNERS }, { status: 403 }],
])('%s is refused, and nobody begins', async (_, wanted, refused) => {
  rows.push(learnerRow('ada'));
  await expect(learners.start(caller, 'shop', wanted)).rejects.toMatchObject(refused);
  expect(forked).toEqual([]);
});

test('a lab that there is not', async () =>
  expect(learners.start(caller, 'nope', { count: 1 })).rejects.toMatchObject({ status: 404 }));

test('all are listed as far as they are, the prepared cluster is nobody’s', async () => {
  rows.push(learnerRow('learner-10'), learnerRow('learner-9'), learnerRow('bob'));
  const { items } = await learners.list(caller, 'shop');
  expect(items.map(({ name, step, steps }) => [name, step, steps])).toEqual([
    ['bob', 2, 2],
    ['learner-9', 1, 2],
    ['learner-10', 1, 2],
  ]);
});

test('a token is the lab’s learner, of that learner’s cluster', async () => {
  rows.push(learnerRow('ada'));
  expect(await learners.createToken(caller, 'shop', 'ada', { ttl: 1, scope: 'use' } as never)).toMatchObject({
    ...{ clusterId: 'c-ada', user: 'learner', groups: ['terrarium:learners'] },
  });
  await expect(learners.createToken(caller, 'shop', 'eve', {} as never)).rejects.toMatchObject({ status: 404 });
});
