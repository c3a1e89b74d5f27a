import { Client, median } from '../service/http.mjs';

const CONNECTIONS = 32;
const ROUNDS = 3;
const ROUND_MS = 3_000;
const WARM_MS = 2_000;
const TEXT = 'x'.repeat(850);

export const title = 'single creates of 1 KB ConfigMaps by HTTP';

/** Creates/s with 32 connections, each working on its own cluster of the list. */
async function rate(client, ids, forMs, round) {
  const end = performance.now() + forMs;
  let created = 0;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async (_, c) => {
      const path = `/clusters/${ids[c % ids.length]}/api/v1/namespaces/default/configmaps`;
      for (let i = 0; performance.now() < end; i++) {
        const name = `c-${round}-${c}-${i}`;
        const { status, text } = await client.request(
          'POST',
          path,
          `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"},"data":{"text":"${TEXT}"}}`,
        );
        if (status !== 201) throw new Error(`create answered ${status}: ${text.slice(0, 200)}`);
        created++;
      }
    }),
  );
  return created / (forMs / 1000);
}

export async function run(service) {
  const client = new Client(service, CONNECTIONS);
  const many = [];
  for (let i = 0; i < CONNECTIONS; i++) many.push((await client.cluster({ nodes: 2 })).id);
  const measure = async (ids, name) => {
    await rate(client, ids, WARM_MS, `${name}w`);
    const rates = [];
    for (let i = 0; i < ROUNDS; i++) rates.push(await rate(client, ids, ROUND_MS, `${name}${i}`));
    return median(rates);
  };
  const spread = await measure(many, 's');
  const one = await measure([(await client.cluster({ nodes: 2 })).id], 'o');
  client.close();
  return [
    {
      row: `1 KB creates, 32 connections over 32 clusters: median of ${ROUNDS}`,
      value: spread,
      unit: '/s',
      target: 1_500,
      better: 'more',
    },
    {
      row: `1 KB creates, 32 connections into one cluster: median of ${ROUNDS}`,
      value: one,
      unit: '/s',
      target: 2_000,
      better: 'more',
    },
  ];
}
