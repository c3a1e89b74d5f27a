import { Client, median, quantile } from '../service/http.mjs';

const CLUSTERS = 500;

export const title = 'create a cluster until GET nodes shows 3 Ready';

export async function run(service) {
  const client = new Client(service);
  const took = [];
  for (let i = 0; i < CLUSTERS + 5; i++) {
    const started = performance.now();
    const { id } = await client.cluster({ nodes: 2 });
    for (;;) {
      const { items } = await client.json('GET', `/clusters/${id}/api/v1/nodes`);
      const ready = items.filter((n) =>
        n.status.conditions.some((c) => c.type === 'Ready' && c.status === 'True'),
      ).length;
      if (ready === 3) break;
    }
    if (i >= 5) took.push(performance.now() - started);
  }
  client.close();
  return [
    { row: `${title}: median of ${CLUSTERS}`, value: median(took), unit: 'ms', target: 25, better: 'less' },
    { row: `${title}: p99`, value: quantile(took, 0.99), unit: 'ms', target: 100, better: 'less' },
  ];
}
