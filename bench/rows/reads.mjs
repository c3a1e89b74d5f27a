import { Client, deployment, median, nodes } from '../service/http.mjs';

const PODS = 10_000;
const WATCHED = 5_000;
const RUNS = 9;
const WARM_RUNS = 2;
const TIMEOUT_MS = 120_000;
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';

export const title = 'large lists, and watches that catch up';

/** A cluster with so many running pods; `before` is the revision before the first of them. */
async function filled(client, pods) {
  const { id } = await client.cluster({ nodes: nodes(Math.ceil(pods / 100)), speed: 'instant' });
  const base = `/clusters/${id}/apis/apps/v1/namespaces/default/deployments`;
  const before = (await client.json('GET', `${base}?limit=1`)).metadata.resourceVersion;
  await client.json('POST', base, deployment(pods));
  for (let waited = 0; ; waited += 250) {
    const { status } = await client.json('GET', `${base}/web`);
    if (status?.readyReplicas === pods) return { path: `/clusters/${id}/api/v1/namespaces/default/pods`, before };
    if (waited > TIMEOUT_MS) throw new Error(`only ${status?.readyReplicas} of ${pods} pods became ready`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** Median ms of a list in this form, and its size in MB. */
async function listing(client, path, accept) {
  const took = [];
  let size = 0;
  for (let i = -WARM_RUNS; i < RUNS; i++) {
    const started = performance.now();
    const { status, bytes } = await client.exchange('GET', path, undefined, { accept });
    if (status !== 200) throw new Error(`list answered ${status}: ${bytes.toString().slice(0, 200)}`);
    if (i >= 0) took.push(performance.now() - started);
    size = bytes.length;
  }
  return { ms: median(took), size: (size / 1e6).toFixed(1) };
}

/** Median ms until a watch has brought everything: `isLast` knows the last line. */
async function watching(client, path, isLast) {
  const took = [];
  for (let i = -WARM_RUNS; i < RUNS; i++) {
    const started = performance.now();
    let done;
    const finished = new Promise((resolve) => (done = resolve));
    const end = await client.watch(path, (line) => isLast(line) && done(performance.now()));
    const late = setTimeout(() => done(Number.NaN), TIMEOUT_MS);
    const at = await finished;
    clearTimeout(late);
    end();
    if (Number.isNaN(at)) throw new Error(`the watch did not catch up: ${path}`);
    if (i >= 0) took.push(at - started);
  }
  return median(took);
}

export async function run(service) {
  const client = new Client(service, 2);
  const { path } = await filled(client, PODS);
  const rows = [];
  for (const [name, accept] of [
    ['JSON', 'application/json'],
    ['a Table', TABLE],
    ['protobuf', PROTOBUF],
  ]) {
    const { ms, size } = await listing(client, path, accept);
    rows.push({
      row: `list of 10,000 pods as ${name}, ${size} MB: median of ${RUNS}`,
      value: ms,
      unit: 'ms',
      better: 'less',
    });
  }
  const watched = await filled(client, WATCHED);
  const whole = `${watched.path}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`;
  const fromState = await watching(
    client,
    whole,
    (line) => line.startsWith('{"type":"BOOKMARK"') && line.includes('initial-events-end'),
  );
  const { metadata } = await client.json('GET', `${watched.path}?limit=1`);
  await client.json('POST', watched.path, {
    metadata: { name: 'last' },
    spec: { containers: [{ name: 'a', image: 'nginx' }] },
  });
  const fromLog = await watching(
    client,
    `${watched.path}?watch=true&resourceVersion=${watched.before}`,
    (line) => line.startsWith('{"type":"ADDED"') && line.includes('"name":"last"'),
  );
  client.close();
  return [
    ...rows,
    {
      row: `watch of 5,000 pods from their state (WatchList): median of ${RUNS}`,
      value: fromState,
      unit: 'ms',
      better: 'less',
    },
    {
      row: `watch that resumes before 5,000 pods were made, ${Number(metadata.resourceVersion) - Number(watched.before)} revisions: median of ${RUNS}`,
      value: fromLog,
      unit: 'ms',
      better: 'less',
    },
  ];
}
