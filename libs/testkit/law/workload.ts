import type { Dice } from '../fuzz/dice.js';

/** A request of a user at a virtual time, in ms after the workload's beginning. */
export interface TimedRequest {
  readonly at: number;
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object;
}

export interface Workload {
  readonly speed: 'instant' | 'realistic';
  /** Ordered by time. */
  readonly requests: readonly TimedRequest[];
  /** Virtual ms. */
  readonly length: number;
}

type Maker = (dice: Dice, name: string) => readonly Omit<TimedRequest, 'at'>[];

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const CORE = '/api/v1/namespaces/default';
const APPS = '/apis/apps/v1/namespaces/default';
const BATCH = '/apis/batch/v1/namespaces/default';
const NODES = ['worker-1', 'worker-2'];

const post = (path: string, body: object) => ({ method: 'POST', path, body }) as const;
const patch = (path: string, body: object) => ({ method: 'PATCH', path, body }) as const;
const some = (dice: Dice, percent: number, fields: () => object): object => (dice.chance(percent) ? fields() : {});

// ---- containers ----

const SCRIPTS = [
  'n=0; while true; do n=$((n+1)); echo line $n at $(date +%s); sleep 3; done',
  'echo starting; sleep 7; echo failing >&2; exit 3',
  'trap "echo ending; sleep 2; exit 0" TERM; while true; do date >> /tmp/log; wc -l /tmp/log; sleep 4; done',
  'echo $HOSTNAME $RANDOM; sleep $((RANDOM % 20)); exit $((RANDOM % 2))',
  'touch /tmp/ready; sleep 25; rm /tmp/ready; sleep 25; touch /tmp/ready; sleep 1000',
  'for i in 1 2 3; do (sleep $i; echo child $i) & done; wait; echo all; sleep 2',
  'while true; do wget -qO- http://web:80/ 2>&1 | head -n 1; sleep 5; done',
];
const IMAGES = ['nginx:1.27', 'redis:7', 'httpd:2.4', 'nginx:no-such-tag'];

const probe = (dice: Dice, isScript: boolean): object => ({
  ...(isScript
    ? { exec: { command: dice.pick([['test', '-f', '/tmp/ready'], ['true'], ['false']]) } }
    : dice.pick([{ httpGet: { path: '/', port: dice.pick([80, 81]) } }, { tcpSocket: { port: 80 } }])),
  periodSeconds: dice.pick([1, 2, 5, 10]),
  failureThreshold: dice.pick([1, 3]),
  ...some(dice, 40, () => ({ initialDelaySeconds: dice.pick([1, 10]) })),
  ...some(dice, 20, () => ({ successThreshold: 1, timeoutSeconds: 2 })),
});

function container(dice: Dice, name: string, isScript = dice.chance(50)): object {
  return {
    name,
    ...(isScript ? { image: 'busybox:1.36', command: ['sh', '-c', dice.pick(SCRIPTS)] } : { image: dice.pick(IMAGES) }),
    resources: { requests: { cpu: dice.pick(['50m', '300m', '3']) } },
    ...some(dice, 35, () => ({ readinessProbe: probe(dice, isScript) })),
    ...some(dice, 30, () => ({ livenessProbe: probe(dice, isScript) })),
    ...some(dice, 10, () => ({ startupProbe: probe(dice, isScript) })),
    ...some(dice, 15, () => ({
      lifecycle: { postStart: { exec: { command: ['sh', '-c', 'echo begun > /tmp/begun'] } } },
    })),
  };
}

const podSpec = (dice: Dice, restartPolicy: string): object => ({
  restartPolicy,
  terminationGracePeriodSeconds: dice.pick([0, 1, 5, 30]),
  containers: [container(dice, 'one'), ...(dice.chance(20) ? [container(dice, 'two')] : [])],
  ...some(dice, 15, () => ({ initContainers: [container(dice, 'first', true)] })),
  ...some(dice, 20, () => ({ tolerations: [{ key: 'law', operator: 'Exists', tolerationSeconds: 15 }] })),
  ...some(dice, 5, () => ({ activeDeadlineSeconds: 40 })),
});

const template = (dice: Dice, app: string, restartPolicy = 'Always'): object => ({
  metadata: { labels: { app } },
  spec: podSpec(dice, restartPolicy),
});

const sets = (dice: Dice, name: string): object => ({
  replicas: dice.roll(4),
  selector: { matchLabels: { app: name } },
  template: template(dice, name),
});

// ---- what makes work ----

const jobSpec = (dice: Dice, name: string): object => ({
  template: template(dice, name, dice.pick(['Never', 'OnFailure'])),
  backoffLimit: dice.pick([0, 2, 6]),
  parallelism: dice.pick([1, 3]),
  completions: dice.pick([1, 4]),
  ...some(dice, 30, () => ({ ttlSecondsAfterFinished: dice.pick([0, 20]) })),
  ...some(dice, 15, () => ({ activeDeadlineSeconds: 30 })),
});

/** A privileged pod stops its node's kubelet, for good or for a while. */
const nodeLoss: Maker = (dice, name) => {
  const back = dice.chance(60) ? `; sleep ${dice.pick([20, 70])}; chroot /host systemctl start kubelet` : '';
  const script = `sleep ${dice.pick([5, 20])}; chroot /host systemctl stop kubelet${back}; sleep 10000`;
  return [
    post(`${CORE}/pods`, {
      metadata: { name: `stop-${name}` },
      spec: {
        nodeName: dice.pick(NODES),
        hostPID: true,
        containers: [
          {
            name: 'c',
            image: 'busybox:1.36',
            command: ['sh', '-c', script],
            securityContext: { privileged: true },
            volumeMounts: [{ name: 'host', mountPath: '/host' }],
          },
        ],
        volumes: [{ name: 'host', hostPath: { path: '/' } }],
      },
    }),
  ];
};

const WORK: readonly Maker[] = [
  (dice, name) => [post(`${APPS}/deployments`, { metadata: { name }, spec: sets(dice, name) })],
  (dice, name) => [
    post(`${APPS}/deployments`, { metadata: { name }, spec: sets(dice, name) }),
    post(`${CORE}/services`, { metadata: { name: 'web' }, spec: { selector: { app: name }, ports: [{ port: 80 }] } }),
  ],
  (dice, name) => [
    post(`${APPS}/statefulsets`, { metadata: { name }, spec: { ...sets(dice, name), serviceName: name } }),
  ],
  (dice, name) => [
    post(`${APPS}/daemonsets`, {
      metadata: { name },
      spec: { selector: { matchLabels: { app: name } }, template: template(dice, name) },
    }),
  ],
  (dice, name) => [post(`${CORE}/pods`, { metadata: { name, labels: { app: name } }, spec: podSpec(dice, 'Always') })],
  (dice, name) => [post(`${BATCH}/jobs`, { metadata: { name }, spec: jobSpec(dice, name) })],
  (dice, name) => [
    post(`${BATCH}/cronjobs`, {
      metadata: { name },
      spec: {
        schedule: '* * * * *',
        concurrencyPolicy: dice.pick(['Allow', 'Forbid', 'Replace']),
        jobTemplate: { spec: jobSpec(dice, name) },
      },
    }),
  ],
  (dice, name) => [
    post(`${APPS}/deployments`, { metadata: { name }, spec: { ...sets(dice, name), replicas: 1 } }),
    post('/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers', {
      metadata: { name },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
        minReplicas: dice.pick([1, 2]),
        maxReplicas: 4,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 20 } } },
        ],
        behavior: { scaleDown: { stabilizationWindowSeconds: dice.pick([0, 30]) } },
      },
    }),
  ],
];

// ---- what disturbs it ----

const DISTURBANCES: readonly Maker[] = [
  nodeLoss,
  (dice) => [patch(`/api/v1/nodes/${dice.pick(NODES)}`, { spec: { taints: [{ key: 'law', effect: 'NoExecute' }] } })],
  (dice) => [patch(`/api/v1/nodes/${dice.pick(NODES)}`, { spec: { taints: null, unschedulable: dice.chance(50) } })],
  (_dice, name) => [
    post(`${CORE}/pods/${name}/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } }),
  ],
  (_dice, name) => [
    post(`${CORE}/pods/${name}-0/eviction`, {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name: `${name}-0` },
    }),
  ],
  (dice, name) => [patch(`${APPS}/deployments/${name}`, { spec: { replicas: dice.roll(5) } })],
  (dice, name) => [patch(`${APPS}/deployments/${name}`, { spec: { template: template(dice, name) } })],
  (dice, name) => [patch(`${APPS}/statefulsets/${name}`, { spec: { replicas: dice.roll(4) } })],
  (dice, name) => [
    {
      method: 'DELETE',
      path: `${APPS}/deployments/${name}`,
      body: { propagationPolicy: dice.pick(['Background', 'Foreground', 'Orphan']) },
    },
  ],
  (_dice, name) => [{ method: 'DELETE', path: `${CORE}/pods/${name}` }],
  (dice) => [
    post(`${CORE}/resourcequotas`, { metadata: { name: 'quota' }, spec: { hard: { pods: String(2 + dice.roll(4)) } } }),
  ],
  // Eats its node's memory: the kubelet evicts.
  (dice, name) => [
    post(`${CORE}/pods`, {
      metadata: { name: `hungry-${name}` },
      spec: {
        nodeName: dice.pick(NODES),
        containers: [
          {
            name: 'c',
            image: 'busybox:1.36',
            command: ['sh', '-c', 'sleep 5; dd if=/dev/zero of=/dev/shm/x bs=1M count=7000; sleep 1000'],
          },
        ],
        volumes: [{ name: 'm', emptyDir: { medium: 'Memory' } }],
      },
    }),
  ],
];

/** Users' requests at random times, over so many minutes. */
export function makeWorkload(dice: Dice, minutes: number): Workload {
  const length = minutes * MINUTE;
  const names = ['a', 'b', 'c'];
  const requests: TimedRequest[] = [];
  const add = (maker: Maker, at: number): void => {
    for (const request of maker(dice, dice.pick(names))) requests.push({ at, ...request });
  };
  for (let i = 2 + dice.roll(3); i > 0; i--) add(dice.pick(WORK), dice.roll(length / 4));
  for (let i = 1 + dice.roll(4); i > 0; i--) add(dice.pick(DISTURBANCES), dice.roll(length));
  const ordered = requests.sort((a, b) => a.at - b.at);
  return { speed: dice.pick(['instant', 'realistic']), requests: ordered, length };
}
