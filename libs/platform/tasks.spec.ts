import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Worker } from 'bullmq';
import pg from 'pg';
import { testDatabase } from '../testkit/postgres.js';
import { openTaskConnection, openWorker, Tasks, type Task } from './tasks.js';

let database: Awaited<ReturnType<typeof testDatabase>>;
let connection: ReturnType<typeof openTaskConnection>;
let tasks: Tasks;
let worker: Worker<Task> | undefined;
const errors: Error[] = [];
beforeAll(async () => {
  database = await testDatabase();
  connection = openTaskConnection({ databaseUrl: database.url });
  tasks = new Tasks(connection, (error) => errors.push(error));
}, 60_000);
afterEach(async () => {
  await worker?.close();
  worker = undefined;
  expect(errors.splice(0)).toEqual([]);
});
afterAll(async () => {
  await tasks.close();
  await database.drop();
});

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
async function waitUntil(isDone: () => boolean | Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < 10_000; waited += 20) {
    if (await isDone()) return;
    await sleep(20);
  }
  throw new Error('it did not come');
}

/** The clusters whose tasks a worker has done. */
function work(during: (cluster: string) => Promise<void> = async () => undefined): string[] {
  const done: string[] = [];
  worker = openWorker(connection, 4, async ({ data }) => {
    done.push(data.cluster);
    await during(data.cluster);
  });
  return done;
}

test('however often a cluster is asked for while its task waits, there is one task', async () => {
  for (let i = 0; i < 20; i++) tasks.advance('a');
  tasks.advance('b');
  await waitUntil(async () => (await tasks.counts())?.['waiting'] === 2);
  const done = work();
  await waitUntil(() => done.length === 2);
  await sleep(100);
  expect(done.sort()).toEqual(['a', 'b']);
}, 30_000);

test('a cluster that is asked for while its task runs gets one more', async () => {
  tasks.advance('a');
  const done = work(async () => {
    if (done.length > 1) return;
    for (let i = 0; i < 3; i++) tasks.advance('a');
    await sleep(200);
  });
  await waitUntil(() => done.length === 2);
  await sleep(200);
  expect(done).toEqual(['a', 'a']);
}, 30_000);

test('a later wake moves the one that was planned before', async () => {
  await tasks.wake('a', 60_000);
  await tasks.wake('a', 50);
  const done = work();
  await waitUntil(() => done.length === 1);
  expect(done).toEqual(['a']);
}, 30_000);

test('a wake that is planned while the one before runs comes in its time', async () => {
  await tasks.wake('a', 1);
  const done = work(async () => {
    if (done.length >= 5) return;
    // The later one is moved, as that of a cluster whose next event comes sooner than was thought.
    if (done.length % 2 === 0) await tasks.wake('a', 60_000);
    await tasks.wake('a', 50);
  });
  const started = Date.now();
  await waitUntil(() => done.length === 5);
  expect(Date.now() - started).toBeLessThan(5_000);
}, 30_000);

/** Ends the lock of a task that is being worked on, as if its worker had been silent for too long. */
async function stealLock(id: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ schema: string }>(
    "select table_schema as schema from information_schema.tables where table_name = 'job'",
  );
  await client.query(`update ${rows[0]!.schema}.job set lock_token = 'stolen', locked_until_ms = 0 where id = $1`, [
    id,
  ]);
  await client.end();
}

test('the planned task of a deleted cluster is removed, and no other', async () => {
  await tasks.wake('a', 300);
  await tasks.wake('b', 300);
  await tasks.forget('a');
  await tasks.forget('none');
  const done = work();
  await waitUntil(() => done.length === 1);
  await sleep(300);
  expect(done).toEqual(['b']);
  await tasks.wake('a', 1);
  await waitUntil(() => done.length === 2);
  expect(done).toEqual(['b', 'a']);
}, 30_000);

test('a task whose lock is lost is told so, and given out again', async () => {
  tasks.advance('a');
  const ends: string[] = [];
  const locks: AbortSignal[] = [];
  worker = openWorker(connection, 4, async ({ id }, lock) => {
    locks.push(lock);
    if (locks.length > 1) return void ends.push('again');
    await stealLock(id!);
    await waitUntil(() => lock.aborted);
    ends.push('aborted');
  });
  const noted: string[] = [];
  worker.on('error', (error) => noted.push(error.message));
  await waitUntil(() => ends.length === 2);
  expect([ends.sort(), locks[1]!.aborted]).toEqual([['aborted', 'again'].sort(), false]);
  expect(noted[0]).toMatch(/lock/);
}, 30_000);

test('a task that cannot be added is reported', async () => {
  const failed: Error[] = [];
  const broken = new Tasks(openTaskConnection({ databaseUrl: 'postgres://127.0.0.1:1/none' }), (error) =>
    failed.push(error),
  );
  broken.advance('a');
  await waitUntil(() => failed.length > 0);
  expect(String(failed[0])).toMatch(/ECONNREFUSED|connect/i);
  await broken.close().catch(() => undefined);
}, 30_000);
