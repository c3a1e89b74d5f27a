import fs from 'node:fs';
import pg from 'pg';
import { Client } from '../service/http.mjs';

const CLUSTERS = Number(process.env.BENCH_IDLE_CLUSTERS ?? 10_000);
const CONNECTIONS = 8;
const SETTLE_MS = 15_000;
const WATCHED_MS = 15_000;
const TICKS_PER_SECOND = 100;

export const title = '10,000 idle clusters';

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const rssMiB = (pid) => Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

/** CPU seconds of a process, with its children that are still there. */
function cpuSeconds(pid) {
  const own = (id) => {
    const [, , , , , , , , , , , user, system] = fs.readFileSync(`/proc/${id}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(user) + Number(system)) / TICKS_PER_SECOND;
  };
  const children = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  return [pid, ...children].reduce((sum, id) => sum + (fs.existsSync(`/proc/${id}`) ? own(id) : 0), 0);
}

async function bytesInPostgres(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('vacuum log.cluster');
  const { rows } = await client.query(`select sum(pg_total_relation_size(c.oid))::bigint as bytes from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'log' and c.relkind = 'r'`);
  await client.end();
  return Number(rows[0].bytes);
}

async function createMany(client, count) {
  let left = count;
  await Promise.all(Array.from({ length: CONNECTIONS }, async () => {
    while (left-- > 0) await client.cluster({ nodes: 2 });
  }));
}

export async function run(service) {
  const client = new Client(service, CONNECTIONS);
  await createMany(client, 200);
  await sleep(3_000);
  const bytes = await bytesInPostgres(service.databaseUrl);
  const rss = { api: rssMiB(service.pids.api), worker: rssMiB(service.pids.worker) };
  await createMany(client, CLUSTERS);
  client.close();
  await sleep(SETTLE_MS);
  const cpu = Object.fromEntries(['api', 'worker', 'postgres'].map((name) => [name, cpuSeconds(service.pids[name])]));
  await sleep(WATCHED_MS);
  const share = (name) => ((cpuSeconds(service.pids[name]) - cpu[name]) / (WATCHED_MS / 1000)) * 100;
  const per = (await bytesInPostgres(service.databaseUrl)) - bytes;
  return [
    { row: `${CLUSTERS} idle clusters: CPU of api`, value: share('api'), unit: '% of a core', target: 1, better: 'less' },
    { row: `${CLUSTERS} idle clusters: CPU of worker`, value: share('worker'), unit: '% of a core', target: 1, better: 'less' },
    { row: `${CLUSTERS} idle clusters: CPU of Postgres`, value: share('postgres'), unit: '% of a core', target: 1, better: 'less' },
    { row: `${CLUSTERS} idle clusters: Postgres, each`, value: per / CLUSTERS / 1024, unit: 'KiB', target: 4, better: 'less' },
    { row: `${CLUSTERS} idle clusters: growth of api`, value: rssMiB(service.pids.api) - rss.api, unit: 'MiB RSS', better: 'less' },
    { row: `${CLUSTERS} idle clusters: growth of worker`, value: rssMiB(service.pids.worker) - rss.worker, unit: 'MiB RSS', better: 'less' },
  ];
}
