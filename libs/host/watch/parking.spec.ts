import { expect, test } from '@jest/globals';
import type { LoadedCluster } from '../clusters/loaded-cluster.js';
import { Parking } from './parking.js';

const cluster = (id: string): LoadedCluster => ({ row: { id } }) as LoadedCluster;

function parkedAt(revision: number) {
  const calls: string[] = [];
  return {
    calls,
    revision,
    resume: ({ row }: LoadedCluster) => void calls.push(`resume ${row.id}`),
    end: (reason: string) => void calls.push(`end ${reason}`),
  };
}

test('listeners go on when their cluster is loaded, once', () => {
  const parking = new Parking();
  const [one, two, other] = [parkedAt(1), parkedAt(2), parkedAt(3)];
  parking.add('a', one);
  parking.add('a', two);
  parking.add('b', other);
  expect([parking.size, parking.has('a'), parking.has('c')]).toEqual([3, true, false]);
  expect([...parking.revisions()]).toEqual([
    ['a', 1],
    ['b', 3],
  ]);
  parking.resume(cluster('a'));
  parking.resume(cluster('a'));
  expect([one.calls, two.calls, other.calls, parking.size]).toEqual([['resume a'], ['resume a'], [], 1]);
});

test('a listener that is taken away is forgotten', () => {
  const parking = new Parking();
  const [stays, leaves] = [parkedAt(1), parkedAt(1)];
  parking.add('a', stays);
  const leave = parking.add('a', leaves);
  leave();
  leave();
  parking.end('a', 'deleted');
  expect([stays.calls, leaves.calls, parking.has('a')]).toEqual([['end deleted'], [], false]);
});

test('at the end all are told', () => {
  const parking = new Parking();
  const all = ['a', 'b'].map((id) => {
    const parked = parkedAt(1);
    parking.add(id, parked);
    return parked;
  });
  parking.endAll('closed');
  expect([all.map(({ calls }) => calls), parking.size]).toEqual([[['end closed'], ['end closed']], 0]);
});
