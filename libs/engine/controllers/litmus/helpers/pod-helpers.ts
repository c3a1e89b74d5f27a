import type { Container, PodSpec } from '../../../api/core_v1.js';
import { listEnv, POD_NAME, type Env } from '../env.js';
import type { HelperGiven, HelperSpec } from './helper-spec.js';

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

/** Helpers beside the pods that they act on. */
export const POD_HELPERS: Readonly<Record<string, HelperSpec>> = {
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
};
