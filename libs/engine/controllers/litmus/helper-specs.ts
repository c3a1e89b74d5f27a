import type { Container, PodSpec, Toleration } from '../../api/core_v1.js';
import { listEnv, POD_NAME, secondsOf, type Env } from './env.js';
import type { ChaosEngine } from './objects.js';

/** How an experiment's helper differs from those of others. */
export interface HelperSpec {
  /** TOTAL_CHAOS_DURATION where nothing says it. */
  readonly seconds: number;
  /** It acts on pods of its node, which TARGETS names; else on a node. */
  readonly ofPods: boolean;
  /** Its name ends in six letters of its own; else in five of the API server's. */
  readonly isNamed: boolean;
  /** How many parts a target has: a fourth says whether its traffic passes a service mesh. */
  readonly parts: 3 | 4;
  readonly hostPID: boolean;
  /** Runs on another node than the one that it is for. */
  readonly isElsewhere?: boolean;
  readonly image?: string;
  readonly tolerations?: (seconds: number) => readonly Toleration[];
  container(given: HelperGiven): Partial<Container>;
  volumes?(given: HelperGiven): PodSpec['volumes'];
}

export interface HelperGiven {
  readonly engine: ChaosEngine;
  readonly experiment: string;
  readonly env: Env;
  readonly seconds: number;
  readonly targets: string;
  readonly runId: string;
  /** The node's address, of node-restart. */
  readonly address: string;
  /** `--cpu` and `--vm-bytes` of node-cpu-hog and node-memory-hog. */
  readonly amount: string;
}

const SOCKET = '/run/containerd/containerd.sock';
const socketOf = (env: Env): string => env.get('SOCKET_PATH') || SOCKET;
type Pairs = Readonly<Record<string, string | number | undefined>>;
const fromEnv = (env: Env, names: readonly string[], defaults: Pairs): Pairs =>
  Object.fromEntries(names.map((name) => [name, env.get(name) || defaults[name]]));

const runHelper =
  (name: string, own: (given: HelperGiven) => Pairs, securityContext: object) =>
  (given: HelperGiven): Partial<Container> =>
    ({
      ...{ command: ['/bin/bash'], args: ['-c', `./helpers -name ${name}`], securityContext },
      env: [...listEnv({ ...commonEnv(given), ...own(given) }), POD_NAME],
    }) as Partial<Container>;

const commonEnv = ({ engine: { metadata }, env, experiment, targets, seconds }: HelperGiven): Pairs => ({
  ...{ TARGETS: targets, TOTAL_CHAOS_DURATION: seconds, CHAOS_NAMESPACE: metadata.namespace },
  ...{ CHAOSENGINE: metadata.name, CHAOS_UID: metadata.uid, EXPERIMENT_NAME: experiment },
  ...{ CONTAINER_RUNTIME: env.get('CONTAINER_RUNTIME') || 'containerd', SOCKET_PATH: socketOf(env) },
  INSTANCE_ID: env.get('INSTANCE_ID'),
});

const withSocket =
  (name: string, ...more: readonly { name: string; path: string }[]) =>
  ({ env }: HelperGiven): PodSpec['volumes'] =>
    [{ name, path: socketOf(env) }, ...more].map((one) => ({ name: one.name, hostPath: { path: one.path } }));

const mounting =
  (name: string, make: (given: HelperGiven) => Partial<Container>) =>
  (given: HelperGiven): Partial<Container> => ({
    ...make(given),
    volumeMounts: [{ name, mountPath: socketOf(given.env) }],
  });

const OF_PODS = { ofPods: true, parts: 3, hostPID: true, isNamed: false, seconds: 60 } as const;
const PRIVILEGED = { privileged: true };

const network = (netem: (env: Env) => string): HelperSpec => ({
  ...{ ...OF_PODS, parts: 4, isNamed: true, volumes: withSocket('cri-socket') },
  container: mounting(
    'cri-socket',
    runHelper(
      'network-chaos',
      ({ env }) => ({ NETEM_COMMAND: netem(env), NETWORK_INTERFACE: env.get('NETWORK_INTERFACE') || 'eth0' }),
      { ...PRIVILEGED, capabilities: { add: ['NET_ADMIN', 'SYS_ADMIN'] } },
    ),
  ),
});
const percentNetem =
  (word: string, variable: string) =>
  (env: Env): string =>
    `netem ${word} ${env.get(variable) || '100'}`;

const stress = (type: string, names: readonly string[], defaults: Readonly<Record<string, string>>): HelperSpec => {
  const run = runHelper('stress-chaos', ({ env }) => ({ ...fromEnv(env, names, defaults), STRESS_TYPE: type }), {
    ...PRIVILEGED,
    runAsUser: 0,
    capabilities: { add: ['SYS_ADMIN'] },
  });
  return {
    ...{ ...OF_PODS, volumes: withSocket('socket-path', { name: 'sys-path', path: '/sys' }) },
    container: (given) => ({
      ...run(given),
      volumeMounts: [
        { name: 'socket-path', mountPath: socketOf(given.env) },
        { name: 'sys-path', mountPath: '/sys' },
      ],
    }),
  };
};

const OF_NODES = { ofPods: false, parts: 3, hostPID: false, isNamed: false, seconds: 30 } as const;

const tolerate = (seconds: number): readonly Toleration[] =>
  ['not-ready', 'unreachable'].map((key) => ({
    ...{ key: `node.kubernetes.io/${key}`, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: seconds + 60 },
  }));

const service = (name: string, seconds: number): HelperSpec => ({
  ...{ ...OF_NODES, isNamed: true, seconds, tolerations: tolerate },
  container: (given) => ({
    command: ['/bin/bash'],
    args: ['-c', `sleep 10 && systemctl stop ${name} && sleep ${given.seconds} && systemctl start ${name}`],
    ...{ securityContext: PRIVILEGED, tty: true },
    volumeMounts: [
      { name: 'bus', mountPath: '/var/run' },
      { name: 'root', mountPath: '/node' },
    ],
  }),
  volumes: () => [
    { name: 'bus', hostPath: { path: '/var/run' } },
    { name: 'root', hostPath: { path: '/' } },
  ],
});

const stressNode = (seconds: number, args: (given: HelperGiven) => readonly string[]): HelperSpec => ({
  ...{ ...OF_NODES, seconds },
  container: (given) => ({ command: ['stress-ng'], args: [...args(given)] }),
});

const KEY = '/data/ssh-privatekey';
const reboot = ({ env, address, runId }: HelperGiven): Partial<Container> => {
  const options = `-o "StrictHostKeyChecking=no" -o "UserKnownHostsFile=/dev/null" -i ${KEY}`;
  const login = `${env.get('SSH_USER') || 'root'}@${address}`;
  const run = `ssh ${options} ${login} ${env.get('REBOOT_COMMAND') || 'sudo systemctl reboot'}`;
  return {
    ...{ command: ['/bin/sh'], args: ['-c', `cp /mnt/ssh-privatekey ${KEY} && chmod 400 ${KEY} && ${run}`] },
    volumeMounts: [
      { name: `private-key-cm-${runId}`, mountPath: '/mnt' },
      { name: `empty-dir-${runId}`, mountPath: '/data' },
    ],
  };
};

/** Which experiments have helpers. Models createHelperPod of litmus-go/chaoslib. */
export const HELPERS: Readonly<Record<string, HelperSpec>> = {
  'pod-network-loss': network(percentNetem('loss', 'NETWORK_PACKET_LOSS_PERCENTAGE')),
  'pod-network-corruption': network(percentNetem('corrupt', 'NETWORK_PACKET_CORRUPTION_PERCENTAGE')),
  'pod-network-duplication': network(percentNetem('duplicate', 'NETWORK_PACKET_DUPLICATION_PERCENTAGE')),
  'pod-network-latency': network(
    (env) => `netem delay ${env.get('NETWORK_LATENCY') || '2000'}ms ${env.get('JITTER') || '0'}ms`,
  ),
  'pod-cpu-hog': stress('pod-cpu-stress', ['CPU_CORES', 'CPU_LOAD'], { CPU_CORES: '0', CPU_LOAD: '100' }),
  'pod-memory-hog': stress('pod-memory-stress', ['NUMBER_OF_WORKERS', 'MEMORY_CONSUMPTION'], {
    ...{ NUMBER_OF_WORKERS: '4', MEMORY_CONSUMPTION: '500' },
  }),
  'pod-dns-error': {
    ...{ ...OF_PODS, volumes: withSocket('cri-socket') },
    container: mounting(
      'cri-socket',
      runHelper(
        'dns-chaos',
        ({ env }) => ({
          TARGET_HOSTNAMES: env.get('TARGET_HOSTNAMES'),
          ...{ MATCH_SCHEME: env.get('MATCH_SCHEME') || 'exact', CHAOS_TYPE: env.get('CHAOS_TYPE') || 'error' },
        }),
        PRIVILEGED,
      ),
    ),
  },
  'container-kill': {
    ...{ ...OF_PODS, hostPID: false, seconds: 20, volumes: withSocket('cri-socket') },
    container: mounting(
      'cri-socket',
      runHelper(
        'container-kill',
        ({ env }) =>
          fromEnv(
            env,
            ['CHAOS_INTERVAL', 'SIGNAL', 'STATUS_CHECK_DELAY', 'STATUS_CHECK_TIMEOUT', 'CONTAINER_API_TIMEOUT'],
            {
              ...{ CHAOS_INTERVAL: '10', SIGNAL: 'SIGKILL', STATUS_CHECK_DELAY: '2', STATUS_CHECK_TIMEOUT: '180' },
              CONTAINER_API_TIMEOUT: '-1',
            },
          ),
        PRIVILEGED,
      ),
    ),
  },
  'disk-fill': {
    ...{ ...OF_PODS, volumes: withSocket('socket-path') },
    container: mounting(
      'socket-path',
      runHelper(
        'disk-fill',
        ({ env }) => ({
          APP_CONTAINER: env.get('TARGET_CONTAINER'),
          ...fromEnv(env, ['FILL_PERCENTAGE', 'EPHEMERAL_STORAGE_MEBIBYTES', 'DATA_BLOCK_SIZE'], {
            ...{ FILL_PERCENTAGE: '80', EPHEMERAL_STORAGE_MEBIBYTES: '0', DATA_BLOCK_SIZE: '256' },
          }),
        }),
        PRIVILEGED,
      ),
    ),
  },
  'kubelet-service-kill': service('kubelet', 90),
  'docker-service-kill': service('docker', 90),
  'node-restart': {
    ...{ ...OF_NODES, isNamed: true, isElsewhere: true, container: reboot },
    volumes: ({ runId }) => [
      { name: `private-key-cm-${runId}`, secret: { secretName: 'id-rsa' } },
      { name: `empty-dir-${runId}`, emptyDir: {} },
    ],
  },
  'node-cpu-hog': stressNode(30, ({ env, amount, seconds }) => [
    ...['--cpu', amount, '--cpu-load', env.get('CPU_LOAD') || '100', '--timeout', String(seconds)],
  ]),
  'node-memory-hog': stressNode(60, ({ env, amount, seconds }) => [
    ...['--vm', env.get('NUMBER_OF_WORKERS') || '1', '--vm-bytes', amount, '--timeout', `${seconds}s`],
  ]),
};

const DEFAULT_SECONDS = 30;

/** TOTAL_CHAOS_DURATION, or the experiment's own default. */
export const durationOf = (experiment: string, env: Env): number =>
  secondsOf(env, HELPERS[experiment]?.seconds ?? DEFAULT_SECONDS);
