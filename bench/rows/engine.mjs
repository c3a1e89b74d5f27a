import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { deployment, median } from '../service/http.mjs';
import { root } from '../../scripts/local/paths.mjs';

const RUNS = 5;
const USER = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };

export const title = 'the engine alone, in memory';
/** Needs no service. */
export const alone = true;

const load = (lib) => import(pathToFileURL(path.join(root, `dist/libs/${lib}/index.js`)));

export async function run() {
  const { Cluster, makeTemplate } = await load('engine');
  const { catalog } = await load('containers');
  const template = (count) =>
    makeTemplate(
      {
        speed: 'instant',
        workers: Array.from({ length: count }, (_, i) => ({ name: `worker-${i + 1}`, cpu: '64', memory: '256Gi' })),
      },
      catalog,
    );

  const seconds = (state, replicas, seed) => {
    const cluster = new Cluster({ seed, images: catalog });
    cluster.load(state);
    cluster.advance(state.now);
    cluster.commit();
    const body = Buffer.from(JSON.stringify(deployment(replicas)));
    const request = {
      method: 'POST',
      path: '/apis/apps/v1/namespaces/default/deployments',
      query: '',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body,
      user: USER,
    };
    const started = performance.now();
    const answer = cluster.handle(request, state.now);
    if (answer.status !== 201) throw new Error(`the engine answered ${answer.status}: ${answer.body}`);
    for (
      let end = cluster.advance(state.now + 60_000, 2_000);
      !end.settled;
      end = cluster.advance(state.now + 60_000, 2_000)
    )
      cluster.commit();
    cluster.commit();
    const took = (performance.now() - started) / 1000;
    const { body: text } = cluster.handle(
      { ...request, method: 'GET', path: `${request.path}/web`, body: undefined },
      cluster.state.now,
    );
    const ready = JSON.parse(typeof text === 'string' ? text : Buffer.from(text).toString()).status?.readyReplicas;
    if (ready !== replicas) throw new Error(`only ${ready} of ${replicas} replicas are ready`);
    return took;
  };
  const measure = (state, replicas) =>
    median(Array.from({ length: RUNS }, (_, i) => seconds(state, replicas, `bench-${i}`)));

  const [twenty, fifty] = [template(20), template(50)];
  measure(twenty, 1_000);
  const thousand = measure(twenty, 1_000);
  const hundred = measure(fifty, 100);
  const fiveThousand = measure(fifty, 5_000);
  return [
    {
      row: 'engine alone, in memory: 1,000 replicas on 20 nodes',
      value: 1_000 / thousand,
      unit: 'pods/s',
      target: 10_000,
      better: 'more',
    },
    {
      row: 'engine alone: 5,000 replicas on 50 nodes',
      value: 5_000 / fiveThousand,
      unit: 'pods/s',
      target: 10_000,
      better: 'more',
    },
    {
      row: 'engine alone: growth from 100 to 5,000 replicas, against linear',
      value: fiveThousand / (hundred * 50),
      unit: 'x',
      target: 1.3,
      better: 'less',
    },
  ];
}
