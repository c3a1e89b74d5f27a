import { expect, test } from '@jest/globals';
import { historyKey, type HistoryQuery } from '@terrarium/engine';
import { MemoryLogStore } from '@terrarium/store';
import { SegmentTexts } from './segment-texts.js';
import { settleHistory, wantsHistory } from './settle-history.js';

const query = (revision: number): HistoryQuery => ({ type: 'chain', revision, limit: 1 });

async function newSource() {
  const store = new MemoryLogStore();
  await store.createCluster({ id: 'one', tenantId: 't', settings: {}, nodes: 1, createdAt: 0 });
  return {
    store,
    id: 'one',
    head: () => 0,
    limits: { historyMs: 1_000, historyChanges: 1_000 },
    segmentTexts: new SegmentTexts(1_000),
  };
}

test('a request runs again with each answer, until it asks no more', async () => {
  const known: unknown[] = [];
  let runs = 0;
  const response = await settleHistory<object>(await newSource(), { history: query(1) }, async (answers) => {
    known.push([answers.get(historyKey(query(1)))?.ended, answers.get(historyKey(query(2)))?.ended]);
    return ++runs === 1 ? { history: query(2) } : { type: 'body' };
  });
  expect(response).toEqual({ type: 'body' });
  expect(known).toEqual([
    ['retention', undefined],
    ['retention', 'retention'],
  ]);
});

test('a request that never has enough is told that it is', async () => {
  let revision = 0;
  const ended = new Set<string | undefined>();
  await settleHistory<object>(await newSource(), { history: query(0) }, async (answers) => {
    const answer = answers.get(historyKey(query(revision)));
    ended.add(answer?.ended);
    return answer?.ended === 'budget' ? {} : { history: query(++revision) };
  });
  expect([...ended]).toContain('budget');
  expect(revision).toBe(24);
});

test.each([
  [{ type: 'body' }, false],
  [{ type: 'outside', calls: [] }, false],
  [{ type: 'outside', calls: [], history: query(1) }, true],
])('%j wants history: %p', (response, wants) => expect(wantsHistory(response)).toBe(wants));
