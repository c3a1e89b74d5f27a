import { Client, deployment, median, nodes } from '../service/http.mjs';

const RUNS = 5;
const LARGE_RUNS = 3;
const TIMEOUT_MS = 120_000;

export const title = 'Deployment until all replicas are Ready';

/** Seconds from the POST until the watch shows all replicas ready, on a new cluster. */
async function seconds(client, replicas, count) {
  const { id } = await client.cluster({ nodes: nodes(count), speed: 'instant' });
  const base = `/clusters/${id}/apis/apps/v1/namespaces/default/deployments`;
  let ready;
  const done = new Promise((resolve) => (ready = resolve));
  const end = await client.watch(`${base}?watch=true&resourceVersion=0`, (line) => {
    if (JSON.parse(line).object.status?.readyReplicas === replicas) ready(performance.now());
  });
  const started = performance.now();
  await client.json('POST', base, deployment(replicas));
  const late = setTimeout(() => ready(Number.NaN), TIMEOUT_MS);
  const at = await done;
  clearTimeout(late);
  end();
  await client.request('DELETE', `/v1/clusters/${id}`);
  if (Number.isNaN(at)) throw new Error(`${replicas} replicas were not Ready after ${TIMEOUT_MS / 1000} s`);
  return (at - started) / 1000;
}

export async function run(service) {
  const client = new Client(service, 2);
  const measure = async (replicas, count, runs) => {
    const took = [];
    for (let i = 0; i < runs; i++) took.push(await seconds(client, replicas, count));
    return median(took);
  };
  // The just-in-time compiler of a service that has just started is not what is measured.
  await measure(1_000, 20, 3);
  const thousand = await measure(1_000, 20, RUNS);
  const hundred = await measure(100, 50, RUNS);
  const fiveThousand = await measure(5_000, 50, LARGE_RUNS);
  client.close();
  return [
    {
      row: `Deployment of 1,000 replicas on 20 nodes until all are Ready: median of ${RUNS}`,
      value: 1_000 / thousand,
      unit: 'pods/s',
      target: 2_000,
      better: 'more',
    },
    {
      row: `the same, 5,000 replicas on 50 nodes: median of ${LARGE_RUNS}`,
      value: 5_000 / fiveThousand,
      unit: 'pods/s',
      better: 'more',
    },
    {
      row: 'growth from 100 to 5,000 replicas, against linear',
      value: fiveThousand / (hundred * 50),
      unit: 'x',
      target: 1.3,
      better: 'less',
    },
  ];
}
