import { expect, test } from '@jest/globals';
import type { Lab, LabStep } from '../lab-file.js';
import type { LabCluster } from './lab-cluster.js';
import {
  checkOf,
  enterStep,
  namesOfTests,
  readChecks,
  runSolution,
  verifyStep,
  VERIFY_MS,
  waitUntil,
} from './steps.js';

/** A cluster that notes what runs in it, and whose scripts end with the code that they say. */
class FakeCluster {
  now = 0;
  readonly ran: string[] = [];

  constructor(private readonly items?: readonly object[]) {}

  call(method: string, path: string): object {
    this.ran.push(`${method} ${path}`);
    return { status: 200, body: this.items ? { items: this.items } : {} };
  }

  runHere(script: string, ms: number): object {
    this.ran.push(`${script} ${ms}`);
    return { code: Number(script.replace('exit ', '')) || 0, output: script };
  }

  advance(ms: number): void {
    this.now += ms;
  }
}
const as = (cluster: FakeCluster): LabCluster => cluster as unknown as LabCluster;
const step = (fields: object): LabStep => ({ title: 'A step', ...fields }) as unknown as LabStep;
const HALF_AN_HOUR = 30 * 60_000;

test.each<[object, object]>([
  [{}, { phase: 'Pending', score: 0, points: 0, message: '' }],
  [
    { status: { phase: 'Passed', score: 2, points: 3, message: 'well' } },
    { phase: 'Passed', score: 2, points: 3, message: 'well' },
  ],
  [{ status: { points: 1 } }, { phase: 'Pending', score: 0, points: 1, message: '' }],
])('a Check of %j', (given, state) => {
  expect(checkOf({ metadata: { name: 'scaled' }, ...given })).toEqual({ name: 'scaled', ...state });
});

test('checks are those that the cluster has, or none', () => {
  const cluster = new FakeCluster([{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }]);
  expect(readChecks(as(cluster)).map(({ name }) => name)).toEqual(['a', 'b']);
  expect(cluster.ran).toEqual(['GET /apis/terrarium.dev/v1alpha1/checks']);
  expect(readChecks(as(new FakeCluster()))).toEqual([]);
});

test.each<[object, readonly string[], readonly number[]]>([
  [{}, [], []],
  [{ foreground: 'clear' }, [`clear ${HALF_AN_HOUR}`], [0]],
  [{ foreground: 'exit 2', background: 'exit 3' }, [`exit 3 ${HALF_AN_HOUR}`, `exit 2 ${HALF_AN_HOUR}`], [3, 2]],
])('a step %j begins with its scripts, the unseen one first', (fields, ran, codes) => {
  const cluster = new FakeCluster();
  expect(enterStep(as(cluster), step(fields)).map(({ code }) => code)).toEqual(codes);
  expect(cluster.ran).toEqual(ran);
});

test('a solution has its time, a verification a short one', () => {
  const cluster = new FakeCluster();
  expect(runSolution(as(cluster), 'exit 7').code).toBe(7);
  expect(verifyStep(as(cluster), step({ verify: 'exit 1' }))?.code).toBe(1);
  expect(verifyStep(as(cluster), step({}))).toBeUndefined();
  expect(cluster.ran).toEqual([`exit 7 ${HALF_AN_HOUR}`, `exit 1 ${VERIFY_MS}`]);
});

test.each<[string, number, boolean, readonly number[]]>([
  ['at once', 0, true, [0]],
  ['soon, by looks that come less and less often', 5_000, true, [0, 1_000, 3_000, 7_000]],
  ['too late', 1_000_000, false, [0, 1_000, 3_000, 7_000, 15_000, 31_000, 61_000, 91_000, 121_000]],
])('what holds %s', (_when, from, holds, looks) => {
  const cluster = new FakeCluster();
  const looked: number[] = [];
  const found = waitUntil(as(cluster), 100_000, () => {
    looked.push(cluster.now);
    return cluster.now >= from;
  });
  expect(found).toBe(holds);
  expect(looked).toEqual(looks);
});

test('what asks for something has names', () => {
  const steps = [step({ verify: 'true' }), step({}), step({ name: 'scale', verify: 'true' })];
  const lab = { spec: { steps, checks: [{ name: 'ready' }] } } as unknown as Lab;
  expect(namesOfTests(lab)).toEqual(['verify step-1', 'verify scale', 'check ready']);
});
