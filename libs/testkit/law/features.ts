import type { Dice } from '../fuzz/dice.js';
import type { TimedRequest } from './workload.js';

/** What newer or rarer fields of the API make the components do: random requests beside those of a workload. */
type Feature = (dice: Dice, name: string) => readonly TimedRequest[];

const SECOND = 1_000;
const CORE = '/api/v1/namespaces/default';
const APPS = '/apis/apps/v1/namespaces/default';
const BATCH = '/apis/batch/v1/namespaces/default';

const send = (at: number, method: TimedRequest['method'], path: string, body?: object): TimedRequest => ({
  at: at * SECOND,
  method,
  path,
  ...(body ? { body } : {}),
});
const shell = (name: string, script: string, more: object = {}): object => ({
  name,
  image: 'busybox:1.36',
  command: ['sh', '-c', script],
  ...more,
});
const post = (at: number, path: string, name: string, spec: object): TimedRequest =>
  send(at, 'POST', path, { metadata: { name, labels: { app: name } }, spec });

const STOP = 'trap "echo ending; sleep 1; exit 0" TERM; ';

/** A sidecar that is probed, writes what the program reads, and may fail, beside a program that ends or does not. */
const sidecar: Feature = (dice, name) => {
  const fails = dice.chance(40) ? '; exit 4' : '; sleep 1000';
  const proxy = shell(
    'proxy',
    `${STOP}n=0; while [ $n -lt 9 ]; do n=$((n+1)); echo $n >> /shared/n; sleep 2; done${fails}`,
    {
      restartPolicy: 'Always',
      startupProbe: { exec: { command: ['test', '-s', '/shared/n'] }, periodSeconds: dice.pick([1, 3]) },
      volumeMounts: [{ name: 'shared', mountPath: '/shared' }],
    },
  );
  const main = shell(
    'main',
    dice.pick(['sleep 15; wc -l /shared/n', 'while true; do tail -n 1 /shared/n; sleep 3; done']),
    {
      volumeMounts: [{ name: 'shared', mountPath: '/shared' }],
    },
  );
  const spec = {
    restartPolicy: dice.pick(['Always', 'OnFailure', 'Never']),
    terminationGracePeriodSeconds: dice.pick([2, 10]),
    initContainers: [
      proxy,
      shell('first', 'sleep 1; echo first >> /shared/n', { volumeMounts: [{ name: 'shared', mountPath: '/shared' }] }),
    ],
    containers: [main],
    volumes: [{ name: 'shared', emptyDir: {} }],
  };
  const end = dice.chance(50) ? [send(60 + dice.roll(30), 'DELETE', `${CORE}/pods/${name}`)] : [];
  return [post(1 + dice.roll(9), `${CORE}/pods`, name, spec), ...end];
};

/** Hooks that take their time, outlast the grace period, or fail. */
const hooks: Feature = (dice, name) => {
  const run = (script: string): object => ({ exec: { command: ['sh', '-c', script] } });
  const lifecycle = {
    postStart: dice.pick([run('sleep 3; echo begun > /proc/1/fd/1'), run('exit 1'), { sleep: { seconds: 4 } }]),
    preStop: dice.pick([run('echo stopping > /proc/1/fd/1; sleep 4'), run('sleep 100'), { sleep: { seconds: 3 } }]),
  };
  const template = {
    metadata: { labels: { app: name } },
    spec: {
      terminationGracePeriodSeconds: dice.pick([5, 6, 12]),
      containers: [shell('one', `${STOP}while true; do echo at work; sleep 5; done`, { lifecycle })],
    },
  };
  const spec = { replicas: 2, selector: { matchLabels: { app: name } }, template };
  const changed = { spec: { template: { metadata: { annotations: { turn: String(dice.roll(9)) } } } } };
  return [
    post(1 + dice.roll(9), `${APPS}/deployments`, name, spec),
    send(30 + dice.roll(30), 'PATCH', `${APPS}/deployments/${name}`, changed),
  ];
};

/** Programs that go on with what they have written to their claims, while they are scaled, deleted and evicted. */
const claims: Feature = (dice, name) => {
  const count = 'cat /data/n 2>/dev/null; echo run $(date +%s) >> /data/n; sleep $((10 + RANDOM % 20)); exit 1';
  const template = {
    metadata: { labels: { app: name } },
    spec: {
      terminationGracePeriodSeconds: 1,
      containers: [shell('db', count, { volumeMounts: [{ name: 'data', mountPath: '/data' }] })],
    },
  };
  const spec = {
    replicas: 2,
    serviceName: name,
    podManagementPolicy: dice.pick(['OrderedReady', 'Parallel']),
    persistentVolumeClaimRetentionPolicy: { whenScaled: dice.pick(['Retain', 'Delete']), whenDeleted: 'Retain' },
    selector: { matchLabels: { app: name } },
    template,
    volumeClaimTemplates: [
      {
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    ],
  };
  const set = `${APPS}/statefulsets/${name}`;
  return [
    post(1 + dice.roll(9), `${APPS}/statefulsets`, name, spec),
    send(20 + dice.roll(20), 'DELETE', `${CORE}/pods/${name}-0`),
    send(45 + dice.roll(20), 'PATCH', set, { spec: { replicas: dice.pick([0, 1, 3]) } }),
    send(80 + dice.roll(20), 'PATCH', set, { spec: { replicas: 2 } }),
  ];
};

/** Jobs whose policies tell ends apart: by codes, by disruptions and by indexes. */
const policies: Feature = (dice, name) => {
  const rules = [
    {
      action: dice.pick(['Ignore', 'Count', 'FailJob']),
      onExitCodes: { containerName: 'work', operator: 'In', values: [3] },
    },
    { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
  ];
  const indexed = { completionMode: 'Indexed', backoffLimitPerIndex: 1, maxFailedIndexes: dice.pick([0, 2]) };
  const spec = {
    parallelism: 2,
    completions: 3,
    podFailurePolicy: { rules },
    ...(dice.chance(50) ? indexed : { backoffLimit: 2 }),
    podReplacementPolicy: 'Failed',
    template: {
      metadata: { labels: { app: name } },
      spec: {
        restartPolicy: 'Never',
        terminationGracePeriodSeconds: 2,
        containers: [shell('work', `${STOP}echo $JOB_COMPLETION_INDEX; sleep $((RANDOM % 12)); exit $((RANDOM % 5))`)],
      },
    },
  };
  const suspend = dice.chance(40)
    ? [
        send(15, 'PATCH', `${BATCH}/jobs/${name}`, { spec: { suspend: true } }),
        send(40, 'PATCH', `${BATCH}/jobs/${name}`, { spec: { suspend: false } }),
      ]
    : [];
  return [post(1 + dice.roll(9), `${BATCH}/jobs`, name, spec), ...suspend];
};

/** Pods whose resources are changed while they run: more, less, and more than their node has. */
const resizing: Feature = (dice, name) => {
  const policy = { resourceName: 'memory', restartPolicy: dice.pick(['NotRequired', 'RestartContainer']) };
  const resources = (cpu: string, memory: string): object => ({ requests: { cpu, memory }, limits: { cpu, memory } });
  // A merge patch has the whole list.
  const one = (given: object): object =>
    shell('one', `${STOP}while true; do cat /sys/fs/cgroup/memory.max; sleep 7; done`, {
      resizePolicy: [policy],
      resources: given,
    });
  const spec = { containers: [one(resources('100m', '64Mi'))] };
  const resize = (at: number, cpu: string, memory: string): TimedRequest =>
    send(at, 'PATCH', `${CORE}/pods/${name}/resize`, { spec: { containers: [one(resources(cpu, memory))] } });
  return [
    post(1 + dice.roll(9), `${CORE}/pods`, name, spec),
    resize(20 + dice.roll(10), '200m', dice.pick(['64Mi', '128Mi'])),
    resize(50 + dice.roll(10), dice.pick(['100', '3']), '128Mi'),
    resize(80 + dice.roll(10), '100m', dice.pick(['32Mi', '128Mi'])),
  ];
};

/** Nodes are drained as kubectl does it, again and again while a budget refuses. */
const drains: Feature = (dice, name) => {
  const ready = { exec: { command: ['test', '-f', '/tmp/ready'] }, periodSeconds: 2 };
  const template = {
    metadata: { labels: { app: name } },
    spec: { containers: [shell('one', 'sleep 6; touch /tmp/ready; sleep 1000', { readinessProbe: ready })] },
  };
  const spec = {
    serviceName: name,
    replicas: 3,
    podManagementPolicy: 'Parallel',
    selector: { matchLabels: { app: name } },
    template,
  };
  const budget = { minAvailable: dice.pick([2, '60%']), selector: { matchLabels: { app: name } } };
  const node = dice.pick(['worker-1', 'worker-2']);
  const evict = (pod: string): object => ({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: pod } });
  const turns = [30, 35, 40, 45, 50, 55, 60];
  return [
    post(1, `${APPS}/statefulsets`, name, spec),
    post(2, '/apis/policy/v1/namespaces/default/poddisruptionbudgets', name, budget),
    send(29, 'PATCH', `/api/v1/nodes/${node}`, { spec: { unschedulable: true } }),
    ...turns.flatMap((at) =>
      [0, 1, 2].map((i) => send(at, 'POST', `${CORE}/pods/${name}-${i}/eviction`, evict(`${name}-${i}`))),
    ),
    send(90, 'PATCH', `/api/v1/nodes/${node}`, { spec: { unschedulable: null } }),
  ];
};

/** Faults that come and go while all this works. */
const faults: Feature = (dice, name) => {
  const nodes = { target: { nodes: [dice.pick(['worker-1', 'worker-2'])] } };
  const kinds: readonly object[] = [
    { type: 'KubeletStopped', ...nodes },
    { type: 'NodeReboot', ...nodes },
    { type: 'ContainerRuntimeDown', ...nodes },
    { type: 'NodeDown', ...nodes },
    { type: 'SchedulerDown' },
    { type: 'ControllerManagerDown' },
    { type: 'EtcdQuorumLoss' },
    { type: 'APIServerError' },
  ];
  const spec = { ...dice.pick(kinds), duration: `${15 + dice.roll(45)}s` };
  return [send(15 + dice.roll(40), 'POST', '/apis/terrarium.dev/v1alpha1/faults', { metadata: { name }, spec })];
};

const FEATURES: readonly Feature[] = [sidecar, hooks, claims, policies, resizing, drains];

/** Two features, and half of the time a fault meanwhile. */
export const makeFeatures = (dice: Dice): readonly TimedRequest[] => [
  ...dice.pick(FEATURES)(dice, 'feature-a'),
  ...dice.pick(FEATURES)(dice, 'feature-b'),
  ...(dice.chance(50) ? faults(dice, 'fault') : []),
];
