import { expect, test } from '@jest/globals';
import type { ContainerRecord } from '../pod/pod-runtime.js';
import { container, pod } from '../testing.js';
import { dropStart, findBeingStarted, waitsForAnother } from './being-started.js';
import type { PodSync } from './pod-sync.js';

const [first, second, third] = [container('first'), container('second'), container('third')];
const syncOf = (records: Readonly<Record<string, ContainerRecord>>): PodSync =>
  ({
    pod: pod({ initContainers: [first], containers: [second, third] }),
    records: new Map(Object.entries(records)),
  }) as unknown as PodSync;

test.each<[string, Record<string, ContainerRecord>, string | undefined]>([
  ['nothing was begun', {}, undefined],
  ['one waits for its back-off', { second: { step: 'pullFailed' } }, undefined],
  ['one pulls its image', { third: { step: 'pulling' } }, 'third'],
  ['one is being created', { first: { step: 'creating' } }, 'first'],
  ['the hook of one runs', { second: { postStart: {} as ContainerRecord['postStart'] } }, 'second'],
])('while %s a worker is at %s', (_case, records, expected) => {
  const sync = syncOf(records);
  expect(findBeingStarted(sync)?.name).toBe(expected);
  const waiting = [first, second, third].filter((one) => waitsForAnother(sync, one)).map(({ name }) => name);
  expect(waiting).toEqual(expected ? ['first', 'second', 'third'].filter((name) => name !== expected) : []);
});

test.each<[ContainerRecord, ContainerRecord]>([
  [{ step: 'pulling', failures: 1, pull: { node: 'n', place: 3 }, since: 'a', due: 'b' }, { failures: 1 }],
  [{ step: 'creating', due: 'b' }, {}],
  [
    { step: 'pullFailed', due: 'b' },
    { step: 'pullFailed', due: 'b' },
  ],
])('%j is %j when nobody starts it any more', (record, expected) => {
  const sync = syncOf({ second: record });
  dropStart(sync, second);
  expect(sync.records.get('second')).toEqual(expected);
});
