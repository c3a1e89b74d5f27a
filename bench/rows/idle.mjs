import pg from 'pg';
import { measureCpu } from '../service/cpu.mjs';
import { Client } from '../service/http.mjs';

/** Redis keeps nothing of an idle cluster, so that fewer show it there; making 10,000 takes most of the time. */
const CLUSTERS = { postgres: 10_000, redis: 3_000 };
/**
 * Created first: from here on more clusters have been seen than may stay in memory, so that growth is that of idle
 * ones.
 */
const BEFORE = 4_500;
const CONNECTIONS = 16;
const SETTLE_MS = 5_000;
const IDLE_MS = 30_000;
const KIB = 1024;

export const title = 'idle clusters';

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function bytesInPostgres(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('vacuum log.cluster, log.segment, log.checkpoint');
  const { rows } = await client.query(
    `select sum(pg_total_relation_size(c.oid))::bigint as bytes from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'log' and c.relkind = 'r'`,
  );
  await client.end();
  return Number(rows[0].bytes);
}

/** Each is created, and its nodes are looked at once. Resolves with how many a second. */
async function createMany(client, count) {
  const started = performance.now();
  let left = count;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (left-- > 0) {
        const { id } = await client.cluster({ nodes: 2 });
        await client.json('GET', `/clusters/${id}/api/v1/nodes`);
      }
    }),
  );
  return count / ((performance.now() - started) / 1000);
}

/** After garbage collection, so that what a process holds is what it keeps. */
async function settled(service) {
  await sleep(SETTLE_MS);
  const memory = await service.memory();
  return { memory, bytes: await bytesInPostgres(service.databaseUrl) };
}

export async function run(service) {
  const client = new Client(service, CONNECTIONS);
  const clusters = Number(process.env.BENCH_IDLE_CLUSTERS ?? CLUSTERS[service.mode]);
  const title = `${clusters.toLocaleString('en-US')} idle clusters`;
  await createMany(client, BEFORE);
  const before = await settled(service);
  const rate = await createMany(client, clusters - BEFORE);
  client.close();
  const after = await settled(service);
  const cpu = measureCpu(service);
  await sleep(IDLE_MS);
  const shares = cpu().map(({ name, share }) => ({
    row: `${title}: CPU of ${name}`,
    value: share,
    unit: '% of a core',
    target: 1,
    better: 'less',
  }));
  const end = await service.memory();
  const each = (from, to) => (to - from) / (clusters - BEFORE) / KIB;
  return [
    ...shares,
    { row: `${title}: Postgres, each`, value: each(before.bytes, after.bytes), unit: 'KiB', target: 4, better: 'less' },
    ...['api', 'worker'].flatMap((name) => [
      {
        row: `${title}: memory of ${name}, each`,
        value: each(before.memory[name].used, after.memory[name].used),
        unit: 'KiB',
        target: 0.5,
        better: 'less',
      },
      {
        row: `${title}: growth of ${name} in ${IDLE_MS / 1000} idle seconds`,
        value: (end[name].used - after.memory[name].used) / KIB / KIB,
        unit: 'MiB',
        target: 0.5,
        better: 'less',
      },
      { row: `${title}: resident memory of ${name}`, value: end[name].rss / KIB / KIB, unit: 'MiB', better: 'less' },
    ]),
    { row: `${title}: created and read, by ${CONNECTIONS} connections`, value: rate, unit: '/s', better: 'more' },
  ];
}
