import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { testDatabase } from '../../testkit/postgres.js';
import { ListenConnection } from './listen-connection.js';

let server: Awaited<ReturnType<typeof testDatabase>>;
let notes: string[];
let connection: ListenConnection;
beforeAll(async () => void (server = await testDatabase()), 60_000);
afterEach(() => connection.close());
afterAll(() => server?.drop());

async function open(connectionString = server.url): Promise<void> {
  notes = [];
  connection = new ListenConnection({ connectionString, onError: () => notes.push('error') });
  listen('news');
  await connection.ready();
}

function listen(name: string, prefix = ''): void {
  connection.listen({
    name,
    onNotification: (payload) => notes.push(prefix + payload),
    onConnected: (missed) => notes.push(prefix + (missed ? 'connected, missed' : 'connected')),
  });
}

async function query(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(text);
  await client.end();
}

async function untilNoted(expected: readonly string[]): Promise<void> {
  while (notes.length < expected.length) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(notes).toEqual(expected);
}

test('notifications come in order', async () => {
  await open();
  await query("notify news, 'one'; notify news, 'two'; notify other, 'three'");
  await untilNoted(['connected', 'one', 'two']);
});

test('a connection that the server ends comes back, and says that something may be missed', async () => {
  await open();
  await query(
    "select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen news' and pid <> pg_backend_pid()",
  );
  await untilNoted(['connected', 'error', 'connected, missed']);
  await query("notify news, 'again'");
  await untilNoted(['connected', 'error', 'connected, missed', 'again']);
});

test('channels are told apart, also one that is added later', async () => {
  await open();
  listen('late', 'late: ');
  await untilNoted(['connected', 'late: connected']);
  await query("notify late, 'one'; notify news, 'two'");
  await untilNoted(['connected', 'late: connected', 'late: one', 'two']);
  await query("select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %'");
  await untilNoted([...notes.slice(0, 4), 'error', 'connected, missed', 'late: connected, missed']);
});

test('a server that is not there is told of, and closing ends the tries', async () => {
  await open('postgres://nobody@127.0.0.1:1/none');
  expect(notes).toEqual(['error']);
  expect(connection.client).toBeUndefined();
});
