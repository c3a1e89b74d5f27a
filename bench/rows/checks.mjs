import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { deployment, median } from '../service/http.mjs';
import { root } from '../../scripts/local/paths.mjs';

const CHANGES = 100_000;
const DEPLOYMENTS = 40;
const REPLICAS = 5;
const ROUND_MS = 60_000;
const RUNS = 3;
const TARGET = 10;
const USER = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
const API = '/apis/terrarium.dev/v1alpha1/checks';
const SERVICE = '/api/v1/namespaces/default/services';
const DEPLOYMENT = '/apis/apps/v1/namespaces/default/deployments';

export const title = 'checks';
/** Needs no service. */
export const alone = true;

const load = (lib) => import(pathToFileURL(path.join(root, `dist/libs/${lib}/index.js`)));

/** As labs ask: of one object, of endpoints, of all pods, of what was changed, of what was requested. */
const QUESTIONS = [
  (i) => ({ now: `deployment['default/web-${i}'].status.?availableReplicas.orValue(0) == ${REPLICAS}` }),
  (i) => ({ eventually: `deployment['default/web-${i}'].spec.replicas > ${REPLICAS}`, within: '1000h' }),
  (i) => ({ never: `readyEndpoints('default/web-${i}') > ${2 * REPLICAS}` }),
  (i) => ({ never: `pods.filter(p, p.metadata.namespace == 'default' && p.spec.priority > ${i}).size() > 3` }),
  (i) => ({ always: `pods.all(p, !p.metadata.name.startsWith('forbidden-${i}-'))` }),
  (i) => ({ never: `change.resource == 'pods' && change.type == 'delete' && change.name == 'db-${i}'` }),
  (i) => ({ never: `change.resource == 'deployments.apps' && change.actor == 'learner-${i}'` }),
  (i) => ({ never: `change.ofUser && change.resource == 'secrets' && change.name == 's-${i}'` }),
  (i) => ({ eventually: `request.verb == 'delete' && request.resource == 'nodes' && request.name == 'n-${i}'` }),
  (i) => ({ now: `nodes.filter(n, n.spec.?unschedulable.orValue(false)).size() > ${i}` }),
];
const CHECKS = Array.from({ length: 50 }, (_, i) => QUESTIONS[i % QUESTIONS.length](i % DEPLOYMENTS));

export async function run() {
  const { Cluster, makeTemplate } = await load('engine');
  const { catalog } = await load('containers');
  const workers = Array.from({ length: 10 }, (_, i) => ({ name: `worker-${i + 1}`, cpu: '64', memory: '256Gi' }));
  const template = makeTemplate({ speed: 'realistic', workers }, catalog);

  /** CPU ms that so many changes take: rollouts of all Deployments, again and again. */
  const cpu = (checks, seed) => {
    const cluster = new Cluster({ seed, images: catalog });
    cluster.load(template);
    const ask = (method, url, body, type = 'application/json') => {
      const headers = { 'content-type': type, accept: 'application/json' };
      const request = { method, path: url, query: '', headers, user: USER };
      const answer = cluster.handle({ ...request, body: body && Buffer.from(JSON.stringify(body)) }, cluster.state.now);
      if (answer.status >= 300) throw new Error(`the engine answered ${answer.status}: ${answer.body}`);
      return JSON.parse(typeof answer.body === 'string' ? answer.body : Buffer.from(answer.body).toString());
    };
    for (const [i, spec] of checks.entries()) ask('POST', API, { metadata: { name: `check-${i}` }, spec });
    for (let i = 0; i < DEPLOYMENTS; i++) {
      const web = deployment(REPLICAS);
      web.metadata.name = `web-${i}`;
      web.spec.selector.matchLabels.app = web.spec.template.metadata.labels.app = web.metadata.name;
      ask('POST', DEPLOYMENT, web);
      const ports = [{ port: 80 }];
      ask('POST', SERVICE, {
        metadata: { name: web.metadata.name },
        spec: { selector: { app: web.metadata.name }, ports },
      });
    }
    const first = cluster.revision;
    const started = process.cpuUsage();
    for (let round = 0; cluster.revision - first < CHANGES; round++) {
      const annotations = { round: String(round) };
      const patch = { spec: { template: { metadata: { annotations } } } };
      for (let i = 0; i < DEPLOYMENTS; i++)
        ask('PATCH', `${DEPLOYMENT}/web-${i}`, patch, 'application/merge-patch+json');
      const until = cluster.state.now + ROUND_MS;
      while (!cluster.advance(until, 2_000).settled) cluster.commit();
      cluster.commit();
    }
    const { user, system } = process.cpuUsage(started);
    const phases = ask('GET', API).items.map(({ status }) => status.phase);
    if (phases.length !== checks.length || phases.includes('Failed')) throw new Error(`checks are ${phases}`);
    return (user + system) / 1_000 / (cluster.revision - first);
  };

  cpu(CHECKS, 'warm');
  const pairs = Array.from({ length: RUNS }, (_, i) => [cpu([], `bench-${i}`), cpu(CHECKS, `bench-${i}`)]);
  return [
    {
      row: `50 checks over ${CHANGES.toLocaleString('en-US')} changes: cost beyond that of the changes`,
      value: median(pairs.map(([without, with_]) => (100 * (with_ - without)) / without)),
      unit: '%',
      target: TARGET,
      better: 'less',
    },
    {
      row: 'the changes themselves, in the engine alone',
      value: 1_000 * median(pairs.map(([without]) => without)),
      unit: 'µs each',
    },
  ];
}
