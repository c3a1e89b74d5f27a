import { fork } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client, deployment, nodes, quantile } from '../service/http.mjs';
import { root } from '../../scripts/local/paths.mjs';

const FLOODERS = 2_000;
const CLUSTERS = 10;
const PODS = 300;
const REQUESTS = 400;
const WARM_REQUESTS = 100;
const RISING_MS = 5_000;

export const title = 'a tenant beside the flood of another';

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function secondKey(service) {
  const { createTenant, openDatabase } = await import(pathToFileURL(path.join(root, 'dist/libs/platform/index.js')));
  const database = openDatabase(service.databaseUrl);
  try {
    return await createTenant(database, { tenant: 'neighbour', user: 'neighbour' });
  } finally {
    await database.$disconnect();
  }
}

/** ms of reads and writes, one after the other. */
async function latencies(client, id, count) {
  const base = `/clusters/${id}/api/v1/namespaces/default/configmaps`;
  const took = [];
  for (let i = 0; i < count; i++) {
    const started = performance.now();
    const { status, text } =
      i % 2
        ? await client.request('GET', `${base}?limit=5`)
        : await client.request('POST', base, { metadata: { generateName: 'b-' }, data: { a: 'b' } });
    if (status > 201) throw new Error(`answered ${status}: ${text.slice(0, 200)}`);
    took.push(performance.now() - started);
  }
  return took;
}

export async function run(service) {
  const flooder = new Client(service, 4);
  const ids = [];
  for (let i = 0; i < CLUSTERS; i++) {
    const { id } = await flooder.cluster({ nodes: nodes(4), speed: 'instant' });
    await flooder.json('POST', `/clusters/${id}/apis/apps/v1/namespaces/default/deployments`, deployment(PODS));
    ids.push(id);
  }
  const client = new Client({ ...service, key: await secondKey(service) }, 1);
  const { id } = await client.cluster({ nodes: 2 });
  await sleep(RISING_MS);
  await latencies(client, id, WARM_REQUESTS);
  const alone = await latencies(client, id, REQUESTS);
  const flood = fork(path.join(root, 'bench/service/flood.mjs'), [
    String(service.port),
    service.key,
    String(FLOODERS),
    ...ids,
  ]);
  try {
    await sleep(RISING_MS);
    const beside = await latencies(client, id, REQUESTS);
    const answers = await new Promise((resolve) => {
      flood.once('message', resolve);
      flood.send('tell');
    });
    console.log(
      `    the flood was answered: ${Object.entries(answers)
        .map(([status, n]) => `${n} x ${status}`)
        .join(', ')}`,
    );
    return [
      { row: 'a tenant alone, reads and writes: p99', value: quantile(alone, 0.99), unit: 'ms', better: 'less' },
      {
        row: `the same beside ${FLOODERS} concurrent requests of another tenant: median`,
        value: quantile(beside, 0.5),
        unit: 'ms',
        better: 'less',
      },
      {
        row: `the same beside ${FLOODERS} concurrent requests of another tenant: p99`,
        value: quantile(beside, 0.99),
        unit: 'ms',
        better: 'less',
      },
    ];
  } finally {
    flood.disconnect();
    client.close();
    flooder.close();
  }
}
