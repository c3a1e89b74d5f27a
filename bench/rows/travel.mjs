import { Client, median, quantile } from '../service/http.mjs';

const CHANGES = 100_000;
const NAMES = 1_000;
const AT_ONCE = 64;
const LOOKS = 40;

export const title = `a past revision in a log of ${CHANGES} changes`;

export async function run(service) {
  const client = new Client(service, AT_ONCE);
  const { id } = await client.cluster({ nodes: 2 });
  const path = `/clusters/${id}/api/v1/namespaces/default/configmaps`;
  const body = (i) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `c${i % NAMES}` },
    data: { n: `${i}` },
  });
  for (let i = 0; i < NAMES; i++) await client.json('POST', path, body(i));
  const written = performance.now();
  let made = NAMES;
  const next = async () => {
    for (let i = made++; i < CHANGES; i = made++) await client.json('PUT', `${path}/c${i % NAMES}`, body(i));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  const { oldest, latest } = await client.json('GET', `/v1/clusters/${id}/history`);
  const look = async (moment) => {
    const started = performance.now();
    await client.json('GET', `/clusters/${id}@${moment}/api/v1/namespaces/default/configmaps/c0`);
    return performance.now() - started;
  };
  const took = [];
  for (let i = 1; i <= LOOKS; i++)
    took.push(await look(Math.max(oldest, Math.floor(latest - (i / (LOOKS + 1)) * (latest - NAMES * 2)))));
  const byTime = [];
  const seconds = Math.floor((performance.now() - written) / 1_000);
  for (let i = 1; i <= LOOKS; i++) byTime.push(await look(`-${Math.ceil((i / LOOKS) * seconds)}s`));
  client.close();
  return [
    { row: `${title}: median of ${LOOKS}`, value: median(took), unit: 'ms', target: 200, better: 'less' },
    { row: `${title}: p99`, value: quantile(took, 0.99), unit: 'ms', target: 500, better: 'less' },
    { row: `${title}, by its time: median`, value: median(byTime), unit: 'ms', target: 200, better: 'less' },
  ];
}
