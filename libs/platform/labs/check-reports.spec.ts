import { beforeEach, expect, test } from '@jest/globals';
import type { ClusterRow } from '@terrarium/store';
import { CheckReports } from './check-reports.js';

const SECOND_MS = 1_000;
const row = (head: number, lastUsedAt = 0): ClusterRow => ({ id: 'a', head, lastUsedAt }) as ClusterRow;

let asked: string[];
let now: number;
let answers: Record<string, unknown[]>;
let isDown: boolean;
let reports: CheckReports;

beforeEach(() => {
  asked = [];
  now = 0;
  isDown = false;
  answers = {
    checks: [
      { metadata: { name: 'one' }, status: { phase: 'Passed', score: 1, points: 2, message: 'Well done.' } },
      { metadata: { name: 'new' } },
    ],
    terminalinputs: [
      { number: 10, lines: ['ls', 'date'] },
      { number: 9, lines: ['pwd'] },
    ],
  };
  const call = async <T>(_id: string, _method: string, path: string): Promise<T> => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    asked.push(name);
    if (isDown) throw new Error('connection refused');
    return { items: answers[name] } as T;
  };
  reports = new CheckReports({ call }, () => now);
});

test('points are added up, and the line that was typed last is told', async () =>
  expect(await reports.of(row(1))).toMatchObject({
    ...{ score: 1, points: 2, lastCommand: 'date' },
    checks: [
      { name: 'one', phase: 'Passed' },
      { name: 'new', phase: 'Pending', score: 0 },
    ],
  }));

test.each([
  ['of one that has not changed', 0, 60 * SECOND_MS, 1, 2],
  ['that is fresh', 0, SECOND_MS, 2, 2],
  ['of one in use that has changed', 0, 3 * SECOND_MS, 2, 4],
  ['of one that runs by itself', -600 * SECOND_MS, 3 * SECOND_MS, 2, 2],
  ['of one that runs by itself, later', -600 * SECOND_MS, 31 * SECOND_MS, 2, 4],
])('a report %s is asked for as often as needed', async (_, lastUsedAt, later, head, calls) => {
  await reports.of(row(1, lastUsedAt));
  now = later;
  await reports.of(row(head, lastUsedAt));
  expect(asked).toHaveLength(calls);
});

test('a cluster that does not answer is shown as it was, and another one as new', async () => {
  const known = await reports.of(row(1));
  isDown = true;
  now = 60 * SECOND_MS;
  expect(await reports.of(row(2))).toMatchObject(known);
  expect(await reports.of({ ...row(1), id: 'b' })).toMatchObject({ score: 0, checks: [], lastCommand: '' });
  await expect(reports.read('a')).rejects.toThrow('refused');
});

test('one whose checks have changed is asked again at once', async () => {
  await reports.of(row(1));
  reports.expire('a');
  await reports.of(row(1));
  reports.expire('nobody');
  expect(asked).toHaveLength(4);
});
