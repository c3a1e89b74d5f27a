import { type ApiRequest, type AppliedChange, type Cluster, type KubeObject, type User } from '@terrarium/engine';
import { Dice } from '../fuzz/dice.js';

const ADMIN: User = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
const NAMESPACES = ['default', 'one', 'two'];
const IMAGES = ['nginx:1.27', 'redis:7', 'httpd:2.4', 'nginx:no-such-tag', 'busybox:1.36', 'postgres:16'];
const NAMES = ['a', 'b', 'c', 'd'];
const MERGE_PATCH = 'application/merge-patch+json';
const SHORT_MS = 5_000;
const LONG_MS = 10 * 60_000;

/** Sends a request, as kubectl's user or as another. */
type Send = (method: string, path: string, body?: object, contentType?: string) => void;
type Step = (send: Send, dice: Dice, cluster: Cluster) => void;

const podSpec = (dice: Dice): object => ({
  containers: [
    {
      name: 'main',
      image: dice.pick(IMAGES),
      resources: { requests: { cpu: dice.pick(['50m', '100m', '1']), memory: '32Mi' } },
      ...(dice.chance(30) ? { readinessProbe: { httpGet: { path: '/', port: 80 }, periodSeconds: 5 } } : {}),
      ...(dice.chance(20) ? { command: ['sh', '-c', dice.pick(['exit 1', 'sleep 60', 'sleep 5; exit 0'])] } : {}),
    },
  ],
  ...(dice.chance(15) ? { initContainers: [{ name: 'init', image: 'busybox:1.36', command: ['true'] }] } : {}),
  ...(dice.chance(10) ? { tolerations: [{ operator: 'Exists' }] } : {}),
  ...(dice.chance(15) ? { terminationGracePeriodSeconds: dice.roll(40) } : {}),
});

const templateOf = (app: string, dice: Dice, more: object = {}): object => ({
  metadata: { labels: { app } },
  spec: { ...podSpec(dice), ...more },
});

function workload(dice: Dice, name: string): { path: string; body: object } {
  const selector = { matchLabels: { app: name } };
  const template = templateOf(name, dice);
  const job = { template: templateOf(name, dice, { restartPolicy: dice.pick(['Never', 'OnFailure']) }) };
  const metadata = { name };
  const replicas = dice.roll(5);
  return dice.pick([
    { path: 'apps/v1|deployments', body: { metadata, spec: { replicas, selector, template } } },
    { path: 'apps/v1|statefulsets', body: { metadata, spec: { replicas, selector, template, serviceName: name } } },
    { path: 'apps/v1|daemonsets', body: { metadata, spec: { selector, template } } },
    { path: 'batch/v1|jobs', body: { metadata, spec: { ...job, completions: 1 + dice.roll(3), parallelism: 2 } } },
    { path: 'batch/v1|cronjobs', body: { metadata, spec: { schedule: '*/2 * * * *', jobTemplate: { spec: job } } } },
  ]);
}

const url = (path: string, namespace: string, name = ''): string => {
  const [version = '', resource = ''] = path.split('|');
  const root = version === 'v1' ? '/api/v1' : `/apis/${version}`;
  return `${root}/namespaces/${namespace}/${resource}${name && `/${name}`}`;
};

const objectsOf = (cluster: Cluster, resource: string): KubeObject[] =>
  [...cluster.state.objects()].filter((o) => o.resource === resource).map((o) => o.object);

function withSome(
  cluster: Cluster,
  dice: Dice,
  resource: string,
  act: (namespace: string, name: string) => void,
): void {
  const objects = objectsOf(cluster, resource).filter((o) => !o.metadata.namespace?.startsWith('kube-'));
  if (objects.length === 0) return;
  const { namespace = '', name = '' } = dice.pick(objects).metadata;
  act(namespace, name);
}

const STEPS: readonly Step[] = [
  (send, dice) => send('POST', '/api/v1/namespaces', { metadata: { name: dice.pick(NAMESPACES) } }),
  ...Array.from({ length: 4 }, (): Step => (send, dice) => {
    const { path, body } = workload(dice, dice.pick(NAMES));
    send('POST', url(path, dice.pick(NAMESPACES)), body);
  }),
  (send, dice) => {
    const name = dice.pick(NAMES);
    const spec = { type: dice.pick(['ClusterIP', 'NodePort', 'LoadBalancer']), selector: { app: name } };
    send('POST', url('v1|services', dice.pick(NAMESPACES)), {
      metadata: { name },
      spec: { ...spec, ports: [{ port: 80 }] },
    });
  },
  (send, dice, cluster) =>
    withSome(cluster, dice, 'deployments.apps', (namespace, name) => {
      const spec = dice.chance(50)
        ? { replicas: dice.roll(8) }
        : { template: { spec: { containers: [{ name: 'main', image: dice.pick(IMAGES) }] } } };
      send('PATCH', url('apps/v1|deployments', namespace, name), { spec }, MERGE_PATCH);
    }),
  (send, dice, cluster) =>
    withSome(cluster, dice, 'statefulsets.apps', (namespace, name) =>
      send('PATCH', url('apps/v1|statefulsets', namespace, name), { spec: { replicas: dice.roll(5) } }, MERGE_PATCH),
    ),
  (send, dice, cluster) =>
    withSome(cluster, dice, 'pods', (namespace, name) =>
      send('DELETE', url('v1|pods', namespace, name), dice.chance(30) ? { gracePeriodSeconds: 0 } : undefined),
    ),
  (send, dice, cluster) =>
    withSome(cluster, dice, 'pods', (namespace, name) =>
      send('POST', `${url('v1|pods', namespace, name)}/eviction`, {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { namespace, name },
      }),
    ),
  (send, dice) => {
    const name = dice.pick(NAMES);
    send('POST', url('policy/v1|poddisruptionbudgets', dice.pick(NAMESPACES)), {
      metadata: { name },
      spec: { minAvailable: dice.roll(3), selector: { matchLabels: { app: name } } },
    });
  },
  (send, dice) =>
    send('POST', url('v1|resourcequotas', dice.pick(NAMESPACES)), {
      metadata: { name: 'quota' },
      spec: { hard: { pods: String(4 + dice.roll(8)), services: '2' } },
    }),
  (send, dice, cluster) =>
    withSome(cluster, dice, 'nodes', (_, name) => {
      const taints = [{ key: 'test', value: 'x', effect: dice.pick(['NoSchedule', 'NoExecute']) }];
      const spec = dice.chance(50)
        ? { unschedulable: dice.chance(50) || null }
        : { taints: dice.chance(60) ? taints : null };
      send('PATCH', `/api/v1/nodes/${name}`, { spec }, MERGE_PATCH);
    }),
  (send, dice, cluster) => {
    const resource = dice.pick(['deployments', 'statefulsets', 'daemonsets']);
    const propagationPolicy = dice.pick(['Background', 'Foreground', 'Orphan']);
    withSome(cluster, dice, `${resource}.apps`, (namespace, name) =>
      send('DELETE', url(`apps/v1|${resource}`, namespace, name), { propagationPolicy }),
    );
  },
  (send, dice) => {
    if (dice.chance(40)) send('DELETE', `/api/v1/namespaces/${dice.pick(['one', 'two'])}`);
  },
];

/**
 * Sends random requests to a cluster and lets random times pass, from `start` (virtual ms) on; settles in the end.
 * `publish` gets the changes in order.
 */
export function runWorkload(
  cluster: Cluster,
  seed: number,
  start: number,
  steps: number,
  publish: (changes: readonly AppliedChange[]) => void,
): void {
  const dice = new Dice(seed);
  let now = start;
  const run = (work: () => unknown): void => {
    const mark = cluster.mark();
    work();
    publish(cluster.since(mark));
    cluster.commit();
  };
  const send: Send = (method, path, body, contentType = 'application/json') => {
    const request: ApiRequest = {
      method,
      path,
      query: '',
      headers: { 'content-type': contentType, 'user-agent': 'kubectl/v1.36.0' },
      ...(body ? { body: new TextEncoder().encode(JSON.stringify(body)) } : {}),
      user: ADMIN,
    };
    run(() => cluster.handle(request, now));
  };
  for (const name of NAMESPACES.slice(1)) send('POST', '/api/v1/namespaces', { metadata: { name } });
  for (let i = 0; i < steps; i++) {
    dice.pick(STEPS)(send, dice, cluster);
    now += dice.roll(dice.chance(20) ? LONG_MS : SHORT_MS);
    run(() => cluster.advance(now));
  }
  run(() => cluster.advance(now + LONG_MS));
}
