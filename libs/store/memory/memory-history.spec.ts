import { expect, test } from '@jest/globals';
import { Compacted, type NewCluster } from '../log-store.js';
import { ClusterTable } from './cluster-table.js';
import { newStoredCluster, write } from './memory-cluster.js';
import { MemoryHistory } from './memory-history.js';

const state = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A parent of the revisions 1 to 4 with a checkpoint of 2, and a fork of revision 3 with one revision of its own. */
function family(): { clusters: ClusterTable; history: MemoryHistory } {
  const clusters = new ClusterTable();
  const history = new MemoryHistory(clusters);
  const add = (id: string, head: number, base?: NewCluster['base']): void => {
    const held = newStoredCluster({ id, tenantId: 'acme', base, settings: {}, nodes: 0, createdAt: 0 }, 0);
    clusters.add(held);
    for (let revision = held.row.head + 1; revision <= head; revision++) {
      const segment = { first: revision, last: revision, at: revision, changes: state(`${id}${revision}`) };
      write(held, revision - 1, undefined, segment);
    }
  };
  add('p', 4);
  history.keep('p', 2, state('p at 2'));
  add('f', 4, { parent: 'p', revision: 3 });
  return { clusters, history };
}

test.each([
  ['p', 0, ['p1', 'p2', 'p3', 'p4']],
  ['p', 3, ['p4']],
  ['f', 1, ['p2', 'p3', 'f4']],
  ['f', 3, ['f4']],
])('%s has after revision %d the segments %j', (id, after, segments) => {
  const read = family().history.segmentsAfter(id, after);
  expect(read.map(({ changes }) => new TextDecoder().decode(changes))).toEqual(segments);
});

test.each([
  ['p', 1, undefined],
  ['p', 9, 'p@2'],
  ['f', 9, 'p@2'],
  ['f', 1, undefined],
])('%s begins at most at %d with the checkpoint %s', (id, atMost, found) => {
  const checkpoint = family().history.latest(id, atMost);
  expect(checkpoint && `${checkpoint.owner}@${checkpoint.revision}`).toBe(found);
});

test('a fork that does not read its parent any more begins with its own checkpoint', () => {
  const { clusters, history } = family();
  history.keep('f', 4, state('f at 4'));
  clusters.mustFind('f').readsParent = false;
  expect(history.oldestOf(clusters.mustFind('f'))).toBe(4);
  expect(() => history.segmentsAfter('f', 3)).toThrow(Compacted);
});

test.each([
  [2, 0, 0],
  [9, 2, 2],
])('a compaction before %d ms drops %d segments, and the log begins at %d', (before, dropped, oldest) => {
  const { clusters, history } = family();
  expect(history.compact(clusters.mustFind('p'), before)).toBe(dropped);
  expect(history.oldestOf(clusters.mustFind('p'))).toBe(oldest);
});

test('a checkpoint is kept once, and all of an owner are dropped at once', () => {
  const { history } = family();
  expect([history.keep('p', 2, state('other')), history.keep('p', 4, state('new'))]).toEqual([false, true]);
  expect([history.dropAll('p'), history.dropAll('p')]).toEqual([2, 0]);
});
