import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { ListenConnection } from '@terrarium/store';
import { Invalidations } from './invalidations.js';
import { platformDatabase } from '../testing.js';

const ALL = 'all';

let platform: Awaited<ReturnType<typeof platformDatabase>>;
let open: ListenConnection[];
let heard: string[][];
let errors: unknown[];
beforeAll(async () => void (platform = await platformDatabase()), 60_000);
afterAll(() => platform.close());
beforeEach(() => void ([open, heard, errors] = [[], [], []]));
afterEach(() => Promise.all(open.map((connection) => connection.close())));

async function start(): Promise<Invalidations> {
  const connection = new ListenConnection({
    connectionString: platform.url,
    onError: (error) => void errors.push(error),
  });
  open.push(connection);
  const invalidations = new Invalidations(platform.database, connection);
  const own: string[] = [];
  heard.push(own);
  invalidations.listen({ forget: (tenantId = ALL) => void own.push(tenantId) });
  await connection.ready();
  return invalidations;
}

async function until(condition: () => boolean): Promise<void> {
  for (const end = Date.now() + 10_000; !condition(); await new Promise((resolve) => setTimeout(resolve, 10)))
    if (Date.now() > end) throw new Error(`it never came: ${JSON.stringify(heard)}`);
}

test('every process is told, its own before the others', async () => {
  const [first] = [await start(), await start()];
  const published = first.publish('acme');
  expect(heard).toEqual([['acme'], []]);
  await published;
  await until(() => heard[1]!.length > 0);
  await first.publish();
  await until(() => heard[1]!.length > 1);
  expect(heard[1]).toEqual(['acme', ALL]);
});

test('a lost connection comes back, and what was missed is unknown', async () => {
  const second = (await start(), await start());
  await platform.database.$executeRaw`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'listen %'`;
  await until(() => heard.every((own) => own.includes(ALL)));
  await second.publish('acme');
  await until(() => heard.every((own) => own.includes('acme')));
});
