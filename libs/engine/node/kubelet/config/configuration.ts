import type { KubeletConfiguration } from '../../../kinds/terrarium/noderuntime/kind.js';
import { parseThresholds } from '../eviction/thresholds.js';

/** Those that say who reaches the kubelet's port. */
type AccessField = 'authentication' | 'authorization';

/** Fields that are acted on, and the flag that says the same. */
const FIELDS: Readonly<Record<Exclude<keyof KubeletConfiguration, AccessField>, string | undefined>> = {
  allowedUnsafeSysctls: 'allowed-unsafe-sysctls',
  evictionHard: 'eviction-hard',
  evictionSoft: 'eviction-soft',
  evictionSoftGracePeriod: 'eviction-soft-grace-period',
  evictionMinimumReclaim: 'eviction-minimum-reclaim',
  evictionPressureTransitionPeriod: 'eviction-pressure-transition-period',
  evictionMaxPodGracePeriod: 'eviction-max-pod-grace-period',
  mergeDefaultEvictionSettings: undefined,
  imageGCHighThresholdPercent: 'image-gc-high-threshold',
  imageGCLowThresholdPercent: 'image-gc-low-threshold',
  kubeReserved: 'kube-reserved',
  systemReserved: 'system-reserved',
  reservedSystemCPUs: 'reserved-cpus',
  maxPods: 'max-pods',
  podPidsLimit: 'pod-max-pids',
  serializeImagePulls: 'serialize-image-pulls',
  maxParallelImagePulls: undefined,
  enableSystemLogHandler: undefined,
  enableSystemLogQuery: undefined,
  seccompDefault: 'seccomp-default',
  serverTLSBootstrap: undefined,
  shutdownGracePeriod: undefined,
  shutdownGracePeriodCriticalPods: undefined,
  shutdownGracePeriodByPodPriority: undefined,
  cpuManagerPolicy: 'cpu-manager-policy',
  topologyManagerPolicy: 'topology-manager-policy',
  topologyManagerScope: 'topology-manager-scope',
};
const LISTS = new Set<string>(['allowedUnsafeSysctls']);
const MAPS = new Set<string>([
  'evictionHard',
  'evictionSoft',
  'evictionSoftGracePeriod',
  'evictionMinimumReclaim',
  'kubeReserved',
  'systemReserved',
]);
const NUMBERS = new Set<string>([
  'evictionMaxPodGracePeriod',
  'imageGCHighThresholdPercent',
  'imageGCLowThresholdPercent',
  'maxPods',
  'podPidsLimit',
]);
const BOOLEANS = new Set<string>(['seccompDefault', 'serializeImagePulls']);
/** Of a list or a map. */
const MAX_ENTRIES = 100;
const MAX_TEXT = 1_000;

export type ReadConfiguration = { readonly configuration?: KubeletConfiguration } | { readonly failure: string };

/**
 * What a kubelet is told by the values of its file and by its flags, which go first; `failure`: its last line when that
 * cannot be. Models cmd/kubelet/app/server.go, pkg/kubelet/apis/config/validation.
 */
export function readConfiguration(
  values: Readonly<Record<string, unknown>>,
  flags: ReadonlyMap<string, string> = new Map(),
): ReadConfiguration {
  const found: Record<string, unknown> = {};
  for (const [field, flag] of Object.entries(FIELDS)) {
    const text = flag === undefined ? undefined : flags.get(flag);
    const value = text === undefined ? plainValue(values[field]) : parseFlag(field, text);
    if (value !== undefined && value !== '' && value !== '0s') found[field] = value;
  }
  Object.assign(found, readAccess(values, flags));
  const configuration = withReservedCPUs(found as KubeletConfiguration);
  const failure = 'failure' in configuration ? configuration.failure : findFailure(configuration);
  if (failure !== undefined) return { failure: `"command failed" err="${failure}"` };
  return Object.keys(found).length > 0 ? { configuration: configuration as KubeletConfiguration } : {};
}

/** Where a kubelet's port is more open than kubeadm leaves it. */
function readAccess(
  { authentication, authorization }: Readonly<Record<string, unknown>>,
  flags: ReadonlyMap<string, string>,
): Pick<KubeletConfiguration, AccessField> {
  const given = authentication as { readonly anonymous?: { readonly enabled?: unknown } | null } | null | undefined;
  const isAnonymous = flags.get('anonymous-auth') ?? String(given?.anonymous?.enabled ?? false);
  const modeOf = (authorization as { readonly mode?: unknown } | null | undefined)?.mode;
  const mode = flags.get('authorization-mode') ?? String(modeOf ?? 'Webhook');
  return {
    ...(isAnonymous === 'true' ? { authentication: { anonymous: { enabled: true } } } : {}),
    ...(mode === 'AlwaysAllow' ? { authorization: { mode } } : {}),
  };
}

/** CPUs that are named take the place of how many are reserved otherwise. Models cmd/kubelet/app/server.go run. */
function withReservedCPUs(config: KubeletConfiguration): KubeletConfiguration | { readonly failure: string } {
  const { reservedSystemCPUs, kubeReserved, systemReserved: { cpu: _cpu, ...systemReserved } = {} } = config;
  if (reservedSystemCPUs === undefined) return config;
  const ranges = String(reservedSystemCPUs).split(',');
  const bad = ranges.find((range) => !/^\d{1,4}(?:-\d{1,4})?$/.test(range));
  if (bad !== undefined)
    return { failure: `failed to run Kubelet: strconv.Atoi: parsing ${JSON.stringify(bad)}: invalid syntax` };
  const count = ranges.reduce((sum, range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return sum + Math.max(0, last - first + 1);
  }, 0);
  return {
    ...config,
    kubeReserved: { ...kubeReserved, cpu: String(count) },
    ...(Object.keys(systemReserved).length > 0 ? { systemReserved } : {}),
  };
}

/** A value as plain, bounded data: texts of a map, whatever YAML made of them. */
function plainValue(value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'string') return value.slice(0, MAX_TEXT);
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.slice(0, MAX_ENTRIES).map(plainValue);
  if (typeof value !== 'object') return undefined;
  const entries = Object.entries(value).slice(0, MAX_ENTRIES);
  if (entries.length === 0) return undefined;
  const isNumeric = entries.every(([name]) => name === 'priority' || name === 'shutdownGracePeriodSeconds');
  return Object.fromEntries(entries.map(([name, one]) => [name, isNumeric ? Number(one) : String(one)]));
}

/** 'memory.available<100Mi,nodefs.available<10%', 'cpu=100m,memory=1Gi', 'a,b', '110'. */
function parseFlag(field: string, text: string): unknown {
  if (NUMBERS.has(field)) return Number(text);
  if (BOOLEANS.has(field)) return text === 'true';
  const parts = text.split(',').filter(Boolean).slice(0, MAX_ENTRIES);
  if (LISTS.has(field)) return parts;
  if (!MAPS.has(field)) return text;
  return Object.fromEntries(
    parts.map((part) => {
      const at = [...part].findIndex((c) => c === '<' || c === '=');
      return at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)];
    }),
  );
}

function findFailure(config: KubeletConfiguration): string | undefined {
  const invalid = findInvalid(config);
  if (invalid.length > 0) {
    const list = invalid.map((one) => `invalid configuration: ${one}`);
    const error = list.length === 1 ? list[0]! : `[${list.join(', ')}]`;
    return `failed to validate kubelet configuration, error: ${error}, path: &TypeMeta{Kind:,APIVersion:,}`;
  }
  const thresholds = parseThresholds(config);
  const failure = 'failure' in thresholds ? thresholds.failure : findCpuManagerFailure(config);
  return failure === undefined ? undefined : `failed to run Kubelet: ${failure}`;
}

/** Models pkg/kubelet/cm/cpumanager/cpu_manager.go NewManager. */
function findCpuManagerFailure({
  cpuManagerPolicy,
  kubeReserved,
  systemReserved,
}: KubeletConfiguration): string | undefined {
  if (cpuManagerPolicy === undefined || cpuManagerPolicy === 'none') return undefined;
  if (cpuManagerPolicy !== 'static') return `[cpumanager] unknown policy: "${cpuManagerPolicy}"`;
  const reserved = [kubeReserved?.['cpu'], systemReserved?.['cpu']].filter((cpu) => cpu !== undefined);
  if (reserved.length === 0) return '[cpumanager] unable to determine reserved CPU resources for static policy';
  return reserved.some((cpu) => Number.parseFloat(cpu) > 0)
    ? undefined
    : '[cpumanager] the static policy requires systemreserved.cpu + kubereserved.cpu to be greater than zero';
}

/** Models pkg/kubelet/apis/config/validation/validation.go ValidateKubeletConfiguration. */
function findInvalid(config: KubeletConfiguration): string[] {
  const { imageGCHighThresholdPercent: high = 85, imageGCLowThresholdPercent: low = 80, maxPods = 110 } = config;
  const { podPidsLimit = -1, topologyManagerPolicy = 'none' } = config;
  const { serializeImagePulls, maxParallelImagePulls: pulls } = config;
  const problems: string[] = [];
  if (high < 0 || high > 100)
    problems.push(
      `imageGCHighThresholdPercent (--image-gc-high-threshold) ${high} must be between 0 and 100, inclusive`,
    );
  if (low < 0 || low > 100)
    problems.push(`imageGCLowThresholdPercent (--image-gc-low-threshold) ${low} must be between 0 and 100, inclusive`);
  if (low >= high)
    problems.push(
      `imageGCLowThresholdPercent (--image-gc-low-threshold) ${low} must be less than imageGCHighThresholdPercent (--image-gc-high-threshold) ${high}`,
    );
  if (maxPods < 0) problems.push(`maxPods (--max-pods) ${maxPods} must not be a negative number`);
  if (pulls !== undefined && pulls < 1) problems.push(`maxParallelImagePulls ${pulls} must be a positive number`);
  if (serializeImagePulls === true && pulls !== undefined && pulls > 1)
    problems.push(
      'maxParallelImagePulls cannot be larger than 1 unless SerializeImagePulls (--serialize-image-pulls) set to false',
    );
  if (podPidsLimit < -1)
    problems.push(`podPidsLimit (--pod-max-pids) ${podPidsLimit} must be -1 or greater than or equal to 0`);
  if (!['none', 'best-effort', 'restricted', 'single-numa-node'].includes(topologyManagerPolicy))
    problems.push(
      `topologyManagerPolicy (--topology-manager-policy) ${topologyManagerPolicy} must be one of: ["none" "best-effort" "restricted" "single-numa-node"]`,
    );
  return problems;
}
