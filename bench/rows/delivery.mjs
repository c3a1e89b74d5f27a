import { WebSocket } from 'ws';
import { Client, median, quantile } from '../service/http.mjs';

const WATCHERS = 500;
const WRITES = 60;
const GAP_MS = 50;
const ARRIVAL_TIMEOUT_MS = 5_000;

export const title = 'commit to delivery with 500 watchers';

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Writes one object again and again; `arrived(i)` is to be called for each delivery of write i. Latencies count from the writer's answer, never below 0. */
async function measure(client, id, open) {
  const answered = [];
  const deliveries = [];
  const base = `/clusters/${id}/api/v1/namespaces/default/configmaps`;
  const name = `d-${Math.random().toString(36).slice(2)}`;
  await client.json('POST', base, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { n: 'start' } });
  const closers = await open((i) => deliveries.push([i, performance.now()]));
  await sleep(500);
  for (let i = 0; i < WRITES; i++) {
    await client.json('PUT', `${base}/${name}`, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { n: `@${i}@` } });
    answered[i] = performance.now();
    await sleep(GAP_MS);
  }
  for (let waited = 0; deliveries.length < WRITES * WATCHERS && waited < ARRIVAL_TIMEOUT_MS; waited += 50) await sleep(50);
  for (const close of closers) close();
  if (deliveries.length !== WRITES * WATCHERS) throw new Error(`${deliveries.length} of ${WRITES * WATCHERS} events were delivered`);
  return deliveries.map(([i, at]) => Math.max(0, at - answered[i]));
}

const numberIn = (text) => {
  const found = /@(\d+)@/.exec(text);
  return found ? Number(found[1]) : undefined;
};

const watches = (client, id) => async (arrived) => {
  const { metadata } = await client.json('GET', `/clusters/${id}/api/v1/namespaces/default/configmaps?limit=1`);
  return Promise.all(Array.from({ length: WATCHERS }, () =>
    client.watch(`/clusters/${id}/api/v1/namespaces/default/configmaps?watch=true&resourceVersion=${metadata.resourceVersion}`, (line) => {
      const n = numberIn(line);
      if (n !== undefined) arrived(n);
    }),
  ));
};

const QUERY = 'subscription ($id: ID!) { changes(clusterId: $id, apiVersion: "v1", kind: "ConfigMap", namespace: "default") { type revision actor cause object } }';

const subscriptions = (service, id) => (arrived) =>
  Promise.all(Array.from({ length: WATCHERS }, () => new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${service.port}/graphql`, 'graphql-transport-ws');
    socket.on('error', reject);
    socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload: { apiKey: service.key } })));
    socket.on('message', (data) => {
      const text = String(data);
      if (text.startsWith('{"type":"connection_ack"')) {
        socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: QUERY, variables: { id } } }));
        return resolve(() => socket.terminate());
      }
      const n = numberIn(text);
      if (n !== undefined) arrived(n);
      else if (text.includes('"error"')) reject(new Error(text));
    });
  })));

export async function run(service) {
  const client = new Client(service, 2);
  const rows = [];
  for (const [name, kind] of [['a watch', watches], ['a GraphQL subscription', subscriptions]]) {
    const { id } = await client.cluster({ nodes: 2 });
    const took = await measure(client, id, kind === watches ? watches(client, id) : subscriptions(service, id));
    rows.push({ row: `commit to delivery at ${name}, ${WATCHERS} watchers: median`, value: median(took), unit: 'ms', target: 5, better: 'less' });
    rows.push({ row: `commit to delivery at ${name}, ${WATCHERS} watchers: p99`, value: quantile(took, 0.99), unit: 'ms', target: 25, better: 'less' });
  }
  client.close();
  return rows;
}
