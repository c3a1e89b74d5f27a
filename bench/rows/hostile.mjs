import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../scripts/local/paths.mjs';
import { ACTS } from '../hostile/acts.mjs';
import { measureRequests, measureRollouts, startAct } from '../hostile/neighbour.mjs';
import { Client, quantile } from '../service/http.mjs';

const REQUESTS = 300;
const ROLLOUTS = 15;
const RISING_MS = 4_000;
/** A neighbour's p99 may be so many times its quiet p99. */
const SHARE = 3;

export const title = 'a tenant beside a hostile one';

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function createKey(service, tenant) {
  const { createTenant, openDatabase } = await import(pathToFileURL(path.join(root, 'dist/libs/platform/index.js')));
  const database = openDatabase(service.databaseUrl);
  try {
    return await createTenant(database, { tenant, user: tenant });
  } finally {
    await database.$disconnect();
  }
}

async function measure(client, id) {
  const requests = await measureRequests(client, id, REQUESTS);
  const rollouts = await measureRollouts(client, id, ROLLOUTS);
  return { requests: quantile(requests, 0.99), rollouts: quantile(rollouts, 0.99) };
}

export async function run(service) {
  const client = new Client({ ...service, key: await createKey(service, 'quiet') }, 2);
  const { id } = await client.cluster({ nodes: 2, speed: 'instant' });
  await measure(client, id);
  const rows = [];
  for (const name of Object.keys(ACTS).filter((n) => !process.env.HOSTILE || n.includes(process.env.HOSTILE))) {
    const quiet = await measure(client, id);
    const key = await createKey(service, `hostile-${rows.length}`);
    const act = await startAct({ port: service.port, key }, name);
    try {
      await sleep(RISING_MS);
      const beside = await measure(client, id).catch((error) => error);
      if (beside instanceof Error) rows.push({ row: `beside ${name}`, error: beside.message });
      else
        for (const what of ['requests', 'rollouts'])
          rows.push({
            row: `${what}: p99 beside ${name} (quiet: ${quiet[what].toFixed(1)} ms)`,
            value: beside[what],
            target: Number((SHARE * quiet[what]).toFixed(1)),
            unit: 'ms',
            better: 'less',
          });
    } finally {
      await act.stop();
      const hostile = new Client({ ...service, key });
      for (const cluster of act.ids()) await hostile.request('DELETE', `/v1/clusters/${cluster}`);
      hostile.close();
    }
  }
  client.close();
  return rows;
}
