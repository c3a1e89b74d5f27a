import { Client, median, quantile } from '../service/http.mjs';

const OBJECTS = 10_000;
const AT_ONCE = 32;
const FORKS = 200;

export const title = `fork a cluster of ${OBJECTS} objects`;

/** A cluster with so many ConfigMaps. */
async function fill(client) {
  const { id } = await client.cluster({ nodes: 2 });
  const path = `/clusters/${id}/api/v1/namespaces/default/configmaps`;
  const names = Array.from({ length: OBJECTS }, (_, i) => `c${i}`);
  const next = async () => {
    for (let name = names.pop(); name !== undefined; name = names.pop())
      await client.json('POST', path, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { name } });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  return id;
}

export async function run(service) {
  const client = new Client(service, AT_ONCE);
  const id = await fill(client);
  const path = `/v1/clusters/${id}/forks`;
  const took = [];
  for (let i = 0; i < FORKS; i++) {
    const started = performance.now();
    const { items } = await client.json('POST', path, { name: 'fork' });
    took.push(performance.now() - started);
    await client.json('DELETE', `/v1/clusters/${items[0].id}`);
  }
  const { revision } = await client.json('GET', `/v1/clusters/${id}`);
  const past = [];
  for (let i = 0; i < FORKS; i++) {
    const started = performance.now();
    const { items } = await client.json('POST', path, { name: 'past', at: String(revision - i) });
    past.push(performance.now() - started);
    await client.json('DELETE', `/v1/clusters/${items[0].id}`);
  }
  const started = performance.now();
  const { items } = await client.json('POST', path, { name: 'many', count: FORKS });
  const many = performance.now() - started;
  const read = performance.now();
  await client.json('GET', `/clusters/${items[FORKS - 1].id}/api/v1/namespaces/default/configmaps/c0`);
  const first = performance.now() - read;
  client.close();
  return [
    { row: `${title}: median of ${FORKS}`, value: median(took), unit: 'ms', target: 25, better: 'less' },
    { row: `${title}: p99`, value: quantile(took, 0.99), unit: 'ms', target: 100, better: 'less' },
    { row: `${title} at a past revision: median`, value: median(past), unit: 'ms', target: 25, better: 'less' },
    { row: `${FORKS} forks at once`, value: many, unit: 'ms', target: 1_000, better: 'less' },
    { row: `first request to a fork of ${OBJECTS} objects`, value: first, unit: 'ms', target: 1_000, better: 'less' },
  ];
}
