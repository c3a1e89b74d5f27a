import { Client, deployment, median } from '../service/http.mjs';

const CONNECTIONS = 16;
const ROUNDS = 3;
const ROUND_MS = 3_000;
const WARM_MS = 2_000;
const DEFINITIONS = 15;
const APPLY = { 'content-type': 'application/apply-patch+yaml' };

export const title = 'server-side apply, and a custom kind from nothing';

/** Applies/s of Deployments, each with another value, so that every one is a write. */
async function rate(client, id, forMs, round) {
  const end = performance.now() + forMs;
  let applied = 0;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async (_, c) => {
      const body = deployment(0);
      body.metadata = { name: `web-${c}`, labels: {} };
      const path = `/clusters/${id}/apis/apps/v1/namespaces/default/deployments/web-${c}?fieldManager=bench`;
      for (let i = 0; performance.now() < end; i++) {
        body.metadata.labels.round = `${round}-${i}`;
        const { status, text } = await client.request('PATCH', path, body, APPLY);
        if (status > 201) throw new Error(`apply answered ${status}: ${text.slice(0, 200)}`);
        applied++;
      }
    }),
  );
  return applied / (forMs / 1000);
}

const definition = (n) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `things${n}.bench.example` },
  spec: {
    group: 'bench.example',
    scope: 'Namespaced',
    names: { plural: `things${n}`, singular: `thing${n}`, kind: `Thing${n}`, listKind: `Thing${n}List` },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
          },
        },
      },
    ],
  },
});

/** ms from the POST of a definition until an object of its kind is created. */
async function firstObject(client, id, n) {
  const started = performance.now();
  await client.json('POST', `/clusters/${id}/apis/apiextensions.k8s.io/v1/customresourcedefinitions`, definition(n));
  for (;;) {
    const { status, text } = await client.request(
      'POST',
      `/clusters/${id}/apis/bench.example/v1/namespaces/default/things${n}`,
      { apiVersion: 'bench.example/v1', kind: `Thing${n}`, metadata: { name: 'first' }, spec: { size: 1 } },
    );
    if (status === 201) return performance.now() - started;
    if (status !== 404) throw new Error(`create answered ${status}: ${text.slice(0, 200)}`);
  }
}

export async function run(service) {
  const client = new Client(service, CONNECTIONS);
  const { id } = await client.cluster({ nodes: 2 });
  await rate(client, id, WARM_MS, 'w');
  const rates = [];
  for (let i = 0; i < ROUNDS; i++) rates.push(await rate(client, id, ROUND_MS, i));
  const took = [];
  for (let n = 0; n < DEFINITIONS; n++) took.push(await firstObject(client, id, n));
  client.close();
  return [
    {
      row: `server-side applies of Deployments, ${CONNECTIONS} connections: median of ${ROUNDS}`,
      value: median(rates),
      unit: '/s',
      better: 'more',
    },
    {
      row: `from a CRD's creation to its first object: median of ${DEFINITIONS}`,
      value: median(took),
      unit: 'ms',
      better: 'less',
    },
  ];
}
