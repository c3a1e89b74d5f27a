import pg from 'pg';
import { Client, median, quantile } from '../service/http.mjs';
import { subscription, watch } from '../service/sockets.mjs';

const WATCHERS = 500;
const WARM_WRITES = 20;
const WRITES = 100;
const GAP_MS = 40;
const OPENING_MS = 1_000;
const ARRIVAL_TIMEOUT_MS = 5_000;

export const title = 'commit to delivery with 500 watchers';

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
/** ms since the epoch, in microseconds: the same clock as Postgres'. */
const now = () => performance.timeOrigin + performance.now();

/** When Postgres committed each revision, by its own record of commit times. */
async function commitTimes(service, id, revisions) {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  const { rows } = await client.query(
    `select r.revision::int as revision, extract(epoch from pg_xact_commit_timestamp(s.xmin)) * 1000 as at
       from unnest($2::bigint[]) as r(revision) join log.segment s on s.cluster_id = $1 and r.revision between s.first_revision and s.last_revision`,
    [id, revisions],
  );
  await client.end();
  return new Map(rows.map((row) => [row.revision, Number(row.at)]));
}

/**
 * Writes one object again and again, and takes the time from the commit in Postgres to each arrival at a watcher, in
 * ms.
 */
async function latencies(service, client, id, open) {
  const base = `/clusters/${id}/api/v1/namespaces/default/configmaps`;
  const body = (n) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'watched' }, data: { n } });
  await client.json('POST', base, body('start'));
  const arrivals = [];
  const closers = await Promise.all(Array.from({ length: WATCHERS }, () => open((i) => arrivals.push([i, now()]))));
  await sleep(OPENING_MS);
  const revisions = [];
  for (let i = 0; i < WARM_WRITES + WRITES; i++) {
    const { metadata } = await client.json('PUT', `${base}/watched`, body(`@${i}@`));
    revisions.push(Number(metadata.resourceVersion));
    await sleep(GAP_MS);
  }
  const expected = revisions.length * WATCHERS;
  for (let waited = 0; arrivals.length < expected && waited < ARRIVAL_TIMEOUT_MS; waited += 50) await sleep(50);
  for (const close of closers) close();
  if (arrivals.length !== expected) throw new Error(`${arrivals.length} of ${expected} events were delivered`);
  const committed = await commitTimes(service, id, revisions);
  return arrivals.filter(([i]) => i >= WARM_WRITES).map(([i, at]) => at - committed.get(revisions[i]));
}

const QUERY =
  'subscription ($id: ID!) { changes(clusterId: $id, apiVersion: "v1", kind: "ConfigMap", namespace: "default") { type revision actor cause object } }';

export async function run(service) {
  const client = new Client(service, 2);
  const openers = {
    'a watch': (id) => (arrived) =>
      watch(service, `/clusters/${id}/api/v1/namespaces/default/configmaps?watch=true`, arrived),
    'a GraphQL subscription': (id) => (arrived) => subscription(service, { query: QUERY, variables: { id } }, arrived),
  };
  const rows = [];
  for (const [name, opener] of Object.entries(openers)) {
    const { id } = await client.cluster({ nodes: 2 });
    const took = await latencies(service, client, id, opener(id));
    rows.push({
      row: `commit to delivery at ${name}, ${WATCHERS} watchers: median`,
      value: median(took),
      unit: 'ms',
      target: 5,
      better: 'less',
    });
    rows.push({
      row: `commit to delivery at ${name}, ${WATCHERS} watchers: p99`,
      value: quantile(took, 0.99),
      unit: 'ms',
      target: 25,
      better: 'less',
    });
  }
  client.close();
  return rows;
}
