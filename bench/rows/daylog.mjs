import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { median } from '../service/http.mjs';
import { root } from '../../scripts/local/paths.mjs';

const RUNS = 7;
const DAY_MS = 86_400_000;
const TARGET_MS = 100;
/** What a service's pod may do without being looked at; the second one is the documentation's counter. */
const LOOPS = {
  'date; sleep 1': 'while true; do date; sleep 1; done',
  'a counter': 'i=0; while true; do echo "$i: $(date)"; i=$((i+1)); sleep 1; done',
  'a busy loop': 'while true; do :; done',
};
const USER = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
const PODS = '/api/v1/namespaces/default/pods';
const LEAST_LINES = { 'a busy loop': 0 };

export const title = 'the log of a day, at its first look';
/** Needs no service. */
export const alone = true;

const load = (lib) => import(pathToFileURL(path.join(root, `dist/libs/${lib}/index.js`)));

export async function run() {
  const { Cluster, makeTemplate } = await load('engine');
  const { catalog } = await load('containers');
  const template = makeTemplate(
    { speed: 'instant', workers: [{ name: 'worker-1', cpu: '64', memory: '64Gi' }] },
    catalog,
  );

  /** ms that the first look at a pod's log takes after a day. */
  const firstLook = (name, script, seed) => {
    const cluster = new Cluster({ seed, images: catalog });
    cluster.load(template);
    const ask = (method, url, at, body) =>
      cluster.handle(
        {
          ...{ method, path: url, query: '', user: USER },
          headers: { 'content-type': 'application/json', accept: 'application/json' },
          body: body && Buffer.from(JSON.stringify(body)),
        },
        at,
      );
    const command = ['sh', '-c', script];
    const spec = { containers: [{ name: 'c', image: 'busybox', command }] };
    const created = ask('POST', PODS, template.now, { metadata: { name: 'loop' }, spec });
    if (created.status !== 201) throw new Error(`the engine answered ${created.status}: ${created.body}`);
    const end = template.now + DAY_MS;
    while (!cluster.advance(end, 2_000).settled) cluster.commit();
    cluster.commit();
    const started = performance.now();
    const { status, body } = ask('GET', `${PODS}/loop/log`, end);
    const took = performance.now() - started;
    const lines = Buffer.from(body).toString().split('\n').length;
    const least = LEAST_LINES[name] ?? DAY_MS / 1_000 - 200;
    if (status !== 200 || lines < least) throw new Error(`the log has ${lines} lines: ${status}`);
    return took;
  };

  return Object.entries(LOOPS).map(([name, script]) => {
    firstLook(name, script, 'warm');
    return {
      row: `a day's log of ${name}, first look`,
      value: median(Array.from({ length: RUNS }, (_, i) => firstLook(name, script, `bench-${i}`))),
      unit: 'ms',
      target: TARGET_MS,
      better: 'less',
    };
  });
}
