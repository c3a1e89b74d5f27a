import type { Target } from '../../../faults/index.js';
import { numberOf, percentOf, type Env } from '../env.js';

/** What an experiment does, as a type of fault. */
export interface Injection {
  /** Absent: its helpers do it. */
  readonly type?: string;
  readonly selects: 'pods' | 'nodes';
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly lists?: Pick<Target, 'containers' | 'names'>;
  /** Done again after each CHAOS_INTERVAL of so many seconds, until the duration is over. */
  readonly interval?: number;
  /** So many seconds after its helper has begun. */
  readonly delay?: number;
  /** What a result says of its targets, meanwhile and afterwards. */
  readonly marks: 'targeted' | 'reverted';
}

const DEFAULT_INTERVAL = 10;
const MAX_WORKERS = 64;

/** Absent: it is not simulated; a text: what of it is not. */
export function translateExperiment(experiment: string, env: Env): Injection | string {
  const make = EXPERIMENTS[experiment];
  if (!make) return `${experiment} is not simulated`;
  const variable = UNKNOWN.find((name) => (env.get(name) ?? '') !== '');
  if (variable) return `${experiment} with ${variable} is not simulated`;
  if (numberOf(env, 'RAMP_TIME', 0) > 0) return `${experiment} with RAMP_TIME is not simulated`;
  const range = [...env].find(([, value]) => /^\d+-\d+$/.test(value));
  if (range) return `${experiment} with ${range[0]} as a range is not simulated`;
  if (['serial', 'random'].includes((env.get('SEQUENCE') ?? '').toLowerCase()))
    return `${experiment} in the sequence ${env.get('SEQUENCE') ?? ''} is not simulated`;
  return make(env);
}

/** Without them more would be hit than is meant. */
const UNKNOWN = ['DESTINATION_IPS', 'DESTINATION_HOSTS', 'NODE_LABEL', 'SOURCE_PORTS', 'DESTINATION_PORTS'];

const intervalOf = (env: Env): number => Math.max(1, numberOf(env, 'CHAOS_INTERVAL', DEFAULT_INTERVAL));
const containersOf = (env: Env): Pick<Injection, 'lists'> => {
  const container = env.get('TARGET_CONTAINER');
  return container ? { lists: { containers: [container] } } : {};
};

/** By default to and from everywhere. */
const network = (type: string, parameters: Record<string, unknown>): Injection => ({
  ...{ type, selects: 'pods', parameters, marks: 'reverted' },
});
const node = (type: string, marks: 'targeted' | 'reverted' = 'targeted'): Injection => ({
  ...{ type, selects: 'nodes', marks },
});
/** The helper's command sleeps so long before it stops a service. */
const SERVICE_DELAY = 10;
const BY_HELPERS = { selects: 'nodes', marks: 'targeted' } as const;

const EXPERIMENTS: Readonly<Record<string, (env: Env) => Injection>> = {
  'pod-delete': (env) => ({
    ...{ type: 'PodKill', selects: 'pods', marks: 'targeted', interval: intervalOf(env) },
    parameters: { gracePeriodSeconds: env.get('FORCE')?.toLowerCase() === 'true' ? 0 : 30 },
  }),
  'container-kill': (env) => ({
    ...{ type: 'ContainerKill', selects: 'pods', marks: 'targeted', interval: intervalOf(env) },
    ...containersOf(env),
  }),
  'pod-network-loss': (env) =>
    network('PacketLoss', { percent: percentOf(env, 'NETWORK_PACKET_LOSS_PERCENTAGE', 100) }),
  'pod-network-corruption': (env) =>
    network('PacketLoss', { percent: percentOf(env, 'NETWORK_PACKET_CORRUPTION_PERCENTAGE', 100) }),
  'pod-network-duplication': (env) =>
    network('PacketDuplication', { percent: percentOf(env, 'NETWORK_PACKET_DUPLICATION_PERCENTAGE', 100) }),
  'pod-network-latency': (env) =>
    network('PacketDelay', {
      delay: `${numberOf(env, 'NETWORK_LATENCY', 2_000)}ms`,
      jitter: `${numberOf(env, 'JITTER', 0)}ms`,
    }),
  'pod-cpu-hog': cpuHog,
  'pod-cpu-hog-exec': cpuHog,
  'pod-memory-hog': memoryHog,
  'pod-memory-hog-exec': memoryHog,
  'pod-dns-error': (env) => ({
    ...{ type: 'DNSFailure', selects: 'pods', marks: 'reverted', parameters: { error: 'nxdomain' } },
    ...namesOf(env),
  }),
  'disk-fill': () => ({ selects: 'pods', marks: 'reverted' }),
  'node-cpu-hog': () => BY_HELPERS,
  'node-memory-hog': () => BY_HELPERS,
  'node-drain': () => node('NodeDrain', 'reverted'),
  'node-restart': () => node('NodeReboot'),
  'kubelet-service-kill': () => ({ ...node('KubeletStopped'), delay: SERVICE_DELAY }),
  'docker-service-kill': () => ({ ...node('ContainerRuntimeDown'), delay: SERVICE_DELAY }),
};

function cpuHog(env: Env): Injection {
  const workers = Math.min(MAX_WORKERS, Math.max(1, numberOf(env, 'CPU_CORES', 1)));
  const parameters = { workers, load: percentOf(env, 'CPU_LOAD', 100) };
  return { type: 'CPUStress', selects: 'pods', parameters, ...containersOf(env), marks: 'reverted' };
}

/** The limit is reached after this time, as with Chaos Mesh's StressChaos. */
const UNTIL_LIMIT = '30s';
function memoryHog(env: Env): Injection {
  const parameters = { after: UNTIL_LIMIT };
  return { type: 'MemoryLeak', selects: 'pods', parameters, ...containersOf(env), marks: 'reverted' };
}

/** TARGET_HOSTNAMES is a JSON list; without it all names are meant. */
function namesOf(env: Env): Pick<Injection, 'lists'> {
  const names = [...(env.get('TARGET_HOSTNAMES') ?? '').matchAll(/"([^"]+)"/g)].map(([, name = '']) => name);
  if (names.length === 0) return {};
  const isPart = env.get('MATCH_SCHEME') === 'substring';
  return { lists: { names: isPart ? names.map((name) => `*${name}*`) : names } };
}
