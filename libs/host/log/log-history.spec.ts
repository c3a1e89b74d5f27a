import { beforeAll, describe, expect, test } from '@jest/globals';
import type { AppliedChange, HistoryQuery, KubeObject } from '@terrarium/engine';
import { encodeChanges, MemoryLogStore, templateOwner } from '@terrarium/store';
import { LogHistory } from './log-history.js';
import { SegmentTexts } from './segment-texts.js';

const ID = 'one';
const CHANGES = 3_000;
const LIMITS = { historyMs: 10_000, historyChanges: 100_000 };
const SECOND = 1_000;
/** Changes of a virtual second, and of a segment. */
const PER_SECOND = 10;
const PER_SEGMENT = 7;

const store = new MemoryLogStore();
const history = (limits = LIMITS, clock?: () => number): LogHistory =>
  new LogHistory(store, ID, CHANGES, limits, new SegmentTexts(1_000_000), 0, clock);
const nameAt = (revision: number): string => `pod-${Math.ceil(revision / 3)}`;
const timeAt = (revision: number): number => Math.floor(revision / PER_SECOND) * SECOND;

/** Each pod is created, changed and deleted; a change's cause is the one before, and a pod's creation is a user's. */
function changeAt(revision: number, old: KubeObject | undefined): AppliedChange {
  const step = (revision - 1) % 3;
  const metadata = { namespace: 'shop', name: nameAt(revision), resourceVersion: String(revision), uid: 'u' };
  const object = step === 0 ? { metadata, spec: {} } : { ...old, metadata, status: { phase: `at ${revision}` } };
  return {
    revision,
    type: step === 2 ? 'delete' : 'put',
    ...{ resource: 'pods', namespace: 'shop', name: nameAt(revision) },
    ...{ actor: step === 0 ? 'jane' : 'system:kubelet', cause: step === 0 ? 0 : revision - 1, at: timeAt(revision) },
    object: object as unknown as KubeObject,
    old,
  };
}

beforeAll(async () => {
  await store.createCluster({ id: ID, tenantId: 't', settings: {}, nodes: 1, createdAt: 0 });
  let old: KubeObject | undefined;
  for (let first = 1; first <= CHANGES; first += PER_SEGMENT) {
    const last = Math.min(CHANGES, first + PER_SEGMENT - 1);
    const changes: AppliedChange[] = [];
    for (let revision = first; revision <= last; revision++) {
      const change = changeAt(revision, old);
      old = change.type === 'delete' ? undefined : change.object;
      changes.push(change);
    }
    await store.append(ID, { first, last, at: 0, changes: encodeChanges(changes).stored, expected: first - 1 });
  }
});

test('a chain goes back to its user', async () => {
  const { changes, reached, ended } = await history().answer({ type: 'chain', revision: 1_503, limit: 10 });
  expect(changes.map(({ revision, verb, actor, fields }) => [revision, verb, actor, fields])).toEqual([
    [1_503, 'delete', 'system:kubelet', []],
    [1_502, 'update', 'system:kubelet', ['status']],
    [1_501, 'create', 'jane', []],
  ]);
  expect([reached, ended]).toEqual([0, undefined]);
  const short = await history().answer({ type: 'chain', revision: 1_503, limit: 2 });
  expect([short.changes.length, short.reached]).toEqual([2, 1_501]);
});

test('a revision that the log has not is said so', async () => {
  expect(await history().answer({ type: 'chain', revision: CHANGES + 5, limit: 2 })).toEqual({
    changes: [],
    reached: CHANGES + 5,
    ended: 'retention',
  });
});

test.each([1, 4, 1_501, 2_998])('the creation at revision %d is found by its time', async (revision) => {
  const at = timeAt(revision);
  const query = { type: 'creation', resource: 'pods', namespace: 'shop', name: nameAt(revision), at } as const;
  const { changes } = await history().answer(query);
  expect(changes.map((one) => one.revision)).toEqual([revision]);
});

test('a creation at another time is none', async () => {
  const query = { type: 'creation', resource: 'pods', namespace: 'shop', name: nameAt(4), at: 100 * SECOND } as const;
  expect((await history().answer(query)).changes).toEqual([]);
});

describe('a search', () => {
  const search = (filter: object, before = CHANGES + 1, limit = 3, by = history()) =>
    by.answer({ type: 'search', filter, before, limit });

  test('begins with the newest', async () => {
    const { changes, reached } = await search({});
    expect(changes.map(({ revision }) => revision)).toEqual([3_000, 2_999, 2_998]);
    expect(reached).toBe(2_997);
    expect((await search({}, 2_998)).changes[0]!.revision).toBe(2_997);
  });

  test('finds a deletion far back by its name', async () => {
    const { changes } = await search({ resource: 'pods', namespace: 'shop', name: 'pod-2', verbs: ['delete'] });
    expect(changes.map(({ revision }) => revision)).toEqual([6]);
  });

  test('looks through everything for what is not there', async () => {
    expect(await search({ name: 'pod' })).toEqual({ changes: [], reached: 0 });
  });

  test('ends at a time and at a revision', async () => {
    const since = await search({ since: timeAt(2_995) }, CHANGES + 1, 100);
    expect([since.changes.length, since.reached]).toEqual([11, 0]);
    const after = await search({ after: 2_000, ofUsers: true }, CHANGES + 1, 1_000);
    expect(after.changes.every(({ revision, actor }) => revision > 2_000 && actor === 'jane')).toBe(true);
    expect(after.changes).toHaveLength(333);
  });

  test('ends when it has looked at enough, and says how far', async () => {
    const few = history({ historyMs: 10_000, historyChanges: 500 });
    const { ended, reached } = await search({ name: 'pod-2' }, CHANGES + 1, 1, few);
    expect(ended).toBe('budget');
    expect(reached).toBeGreaterThan(1_000);
    const rest = await search({ name: 'pod-2', verbs: ['delete'] }, reached + 1, 1);
    expect(rest.changes[0]!.revision).toBe(6);
  });

  test('ends when it has taken too long', async () => {
    let now = 0;
    const slow = history(LIMITS, () => (now += 6_000));
    expect(await search({ name: 'pod-2' }, CHANGES + 1, 1, slow)).toMatchObject({ ended: 'budget' });
  });
});

test('each change of a segment is read by itself', async () => {
  for (let revision = 1; revision <= 2 * PER_SEGMENT; revision++) {
    const { changes } = await history().answer({ type: 'chain', revision, limit: 1 });
    expect(changes).toMatchObject([{ revision, name: nameAt(revision), at: timeAt(revision) }]);
  }
});

test('what a cluster was made with is not in its log, and not lost', async () => {
  const made = new MemoryLogStore();
  await made.saveCheckpoint(templateOwner('basic'), 40, new Uint8Array(1));
  await made.createCluster({
    ...{ id: 'made', tenantId: 't', settings: {}, nodes: 1, createdAt: 0 },
    base: { template: 'basic', revision: 40 },
  });
  await made.append('made', {
    first: 41,
    last: 41,
    at: 0,
    changes: encodeChanges([changeAt(41, undefined)]).stored,
    expected: 40,
  });
  const ask = (query: HistoryQuery) =>
    new LogHistory(made, 'made', 41, { historyMs: 1_000, historyChanges: 1_000 }, new SegmentTexts(1_000), 40).answer(
      query,
    );
  expect(await ask({ type: 'chain', revision: 7, limit: 9 })).toMatchObject({ changes: [], ended: 'beginning' });
  const creation = { type: 'creation', resource: 'pods', namespace: 'shop', name: 'pod-x', at: 0 } as const;
  expect(await ask(creation)).toMatchObject({ changes: [], ended: 'beginning' });
});
