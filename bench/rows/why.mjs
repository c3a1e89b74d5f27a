import { Client, deployment, median, nodes } from '../service/http.mjs';

/** So many pods start in about 100,000 changes. */
const PODS = 12_000;
const RUNS = 9;
const WARM_RUNS = 2;
const TARGET_MS = 50;
const TIMEOUT_MS = 300_000;

export const title = 'why, on a log of 100,000 changes';

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A cluster whose log begins with a ConfigMap that is deleted, followed by a large rollout. */
async function filled(client) {
  const { id } = await client.cluster({ nodes: nodes(Math.ceil(PODS / 100)), speed: 'instant' });
  const root = `/clusters/${id}`;
  const maps = `${root}/api/v1/namespaces/default/configmaps`;
  const { metadata: needle } = await client.json('POST', maps, { metadata: { name: 'needle' } });
  await client.json('DELETE', `${maps}/needle`);
  const base = `${root}/apis/apps/v1/namespaces/default/deployments`;
  await client.json('POST', base, deployment(PODS));
  for (let waited = 0; ; waited += 500) {
    const { status } = await client.json('GET', `${base}/web`);
    if (status?.readyReplicas === PODS) break;
    if (waited > TIMEOUT_MS) throw new Error(`only ${status?.readyReplicas} of ${PODS} pods became ready`);
    await wait(500);
  }
  const { items, metadata } = await client.json('GET', `${root}/api/v1/namespaces/default/pods?limit=1`);
  const before = Number(needle.resourceVersion) + 100;
  return { id, pod: items[0].metadata.name, head: Number(metadata.resourceVersion), before };
}

/** Median ms of an answer that is as it must be. */
async function asked(client, path, isRight) {
  const took = [];
  for (let i = -WARM_RUNS; i < RUNS; i++) {
    const started = performance.now();
    const answer = await client.json('GET', path);
    if (i >= 0) took.push(performance.now() - started);
    if (!isRight(answer)) throw new Error(`${path}: ${JSON.stringify(answer).slice(0, 400)}`);
  }
  return median(took);
}

export async function run(service) {
  const client = new Client(service, 2);
  const { id, pod, head, before } = await filled(client);
  const base = `/v1/clusters/${id}`;
  const isFromUser = ({ chain }) => chain.length > 0 && !chain[0].actor.startsWith('system:');
  const middle = Math.floor(head / 2);
  const rows = [
    ['a pod, back to its user', `${base}/why?resource=pods&name=${pod}`, isFromUser],
    ['a Deployment', `${base}/why?resource=deployments&name=web`, isFromUser],
    ['a revision in the middle of the log', `${base}/why?revision=${middle}`, ({ chain }) => chain.length > 0],
    [
      'a page of the timeline in the middle',
      `${base}/timeline?before=${middle}`,
      ({ entries }) => entries.length === 100,
    ],
    [
      'an object deleted at the log’s beginning',
      `${base}/why?resource=cm&name=needle&before=${before}`,
      ({ reason }) => reason === 'Deleted',
    ],
  ];
  const results = [];
  for (const [name, path, isRight] of rows)
    results.push({
      row: `why: ${name}, ${head.toLocaleString('en-US')} revisions: median of ${RUNS}`,
      value: await asked(client, path, isRight),
      unit: 'ms',
      target: TARGET_MS,
      better: 'less',
    });
  client.close();
  return results;
}
