import type { Confinement } from '../../../kernel/process/confinement/confinement.js';
import type { Container, EphemeralContainer, Pod, ResourceRequirements } from '../../../api/core_v1.js';
import { bytesOf, type Bytes } from '../../../kernel/bytes.js';
import { DEFAULT_CAPABILITIES, type CgroupLimits, type ContainerSpec, type Mount } from '../../../kernel/container.js';
import type { FileTree } from '../../../kernel/files/tree.js';
import { milliValue, quantityValue } from '../../../machinery/quantity/quantity.js';
import { hash32 } from '../../../machinery/random.js';
import { hostNamesOf } from '../network/hosts.js';
import type { ProcessUser } from './users.js';

const OTHER_CAPABILITIES = [
  'DAC_READ_SEARCH',
  'LINUX_IMMUTABLE',
  'NET_BROADCAST',
  'NET_ADMIN',
  'IPC_LOCK',
  'IPC_OWNER',
  'SYS_MODULE',
  'SYS_RAWIO',
  'SYS_PTRACE',
  'SYS_PACCT',
  'SYS_ADMIN',
  'SYS_BOOT',
  'SYS_NICE',
  'SYS_RESOURCE',
  'SYS_TIME',
  'SYS_TTY_CONFIG',
  'LEASE',
  'AUDIT_CONTROL',
  'MAC_OVERRIDE',
  'MAC_ADMIN',
  'SYSLOG',
  'WAKE_ALARM',
  'BLOCK_SUSPEND',
  'AUDIT_READ',
  'PERFMON',
  'BPF',
  'CHECKPOINT_RESTORE',
];
/** Processes of a container whose kubelet has no podPidsLimit, so that one that forks without end is stopped. */
const PROCESS_LIMIT = 1_024;
/** Users of one namespace, and how many such namespaces there are at most. */
const USERS = 65_536;
const MAX_USER_RANGES = 1_024;
const MIN_SHARES = 2;
/** A quota of 1 ms in 100 ms: pkg/kubelet/cm MinMilliCPULimit. */
const MIN_CPU_LIMIT = 10;
const SHARES_PER_CPU = 1_024;
const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export interface ContainerConfig {
  readonly pod: Pod;
  readonly container: Container;
  readonly containerID: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly workingDir: string;
  readonly user: ProcessUser;
  readonly root: FileTree;
  readonly mounts: readonly Mount[];
  /** The kubelet's podPidsLimit; -1: none. */
  readonly podPidsLimit?: number;
  /** Calls that its seccomp profile denies; absent: it has none. */
  readonly filter?: readonly string[];
  /** What its AppArmor profile denies; absent: it has the runtime's. */
  readonly confinement?: Confinement;
  /** The kernel of the sandbox' runtime, where it has one of its own. */
  readonly kernel?: 'gvisor';
}

/** A container as the runtime gets it. Models kuberuntime_container.go generateContainerConfig. */
export function generateContainerConfig(config: ContainerConfig): ContainerSpec {
  const { pod, container, user } = config;
  const { hostname } = hostNamesOf(pod);
  return {
    id: config.containerID,
    name: container.name,
    argv: config.argv.map(bytesOf),
    env: environmentOf(config, hostname),
    cwd: bytesOf(config.workingDir || '/'),
    ...user,
    root: config.root,
    readOnlyRoot: container.securityContext?.readOnlyRootFilesystem ?? false,
    mounts: config.mounts,
    terminal: container.tty ?? false,
    stdin: container.stdin ?? false,
    stdinOnce: container.stdinOnce ?? false,
    ...cgroupLimitsOf(container.resources, pod.spec.resources),
    processLimit: processLimitOf(config),
    capabilities: capabilitiesOf(container),
    noNewPrivileges: container.securityContext?.allowPrivilegeEscalation === false,
    ...(config.filter ? { filter: config.filter } : {}),
    ...(config.confinement ? { confinement: config.confinement } : {}),
    ...(pod.spec.hostUsers === false ? { usersFrom: usersFrom(pod) } : {}),
    ...(config.kernel ? { kernel: config.kernel } : {}),
    hostname: bytesOf(hostname),
    sharesProcesses: pod.spec.shareProcessNamespace ?? false,
    processesOf: findTarget(pod, container),
  };
}

/** Pods of a node have ranges of 65,536 users of the host. Models pkg/kubelet/userns. */
const usersFrom = ({ metadata }: Pod): number => USERS * (1 + (hash32(metadata.uid ?? '') % MAX_USER_RANGES));

const processLimitOf = ({ podPidsLimit = -1 }: ContainerConfig): number =>
  podPidsLimit > 0 ? podPidsLimit : PROCESS_LIMIT;

/** The running container that an ephemeral one looks into. Models kuberuntime_container.go getTargetID. */
function findTarget({ status }: Pod, container: Container): string | undefined {
  const { targetContainerName } = container as EphemeralContainer;
  if (!targetContainerName) return undefined;
  return status.containerStatuses?.find((s) => s.name === targetContainerName && s.state?.running)?.containerID;
}

/**
 * What a container does not limit itself is limited as its pod is. Models kuberuntime_container_linux.go
 * calculateLinuxResources, getCPULimit and getMemoryLimit.
 */
export function cgroupLimitsOf(
  { limits: own = {}, requests = own }: ResourceRequirements = {},
  { limits: shared = {} }: ResourceRequirements = {},
): CgroupLimits {
  const limits = {
    ...(shared['cpu'] && { cpu: shared['cpu'] }),
    ...(shared['memory'] && { memory: shared['memory'] }),
    ...own,
  };
  const request = requests['cpu'] ?? (own['cpu'] === undefined ? limits['cpu'] : undefined);
  const cpu = request === undefined ? 0 : milliValue(request);
  return {
    ...(limits['memory'] === undefined ? {} : { memoryLimit: quantityValue(limits['memory']) }),
    ...(limits['cpu'] === undefined ? {} : { cpuLimit: Math.max(MIN_CPU_LIMIT, milliValue(limits['cpu'])) }),
    cpuShares: Math.max(MIN_SHARES, Math.floor((cpu * SHARES_PER_CPU) / 1_000)),
  };
}

function environmentOf({ container, env }: ContainerConfig, hostname: string): Record<string, Bytes> {
  const terminal: Record<string, string> = container.tty ? { TERM: 'xterm' } : {};
  const own: Record<string, string> = { PATH: DEFAULT_PATH, HOSTNAME: hostname, ...terminal, ...env };
  return Object.fromEntries(Object.entries(own).map(([name, value]) => [bytesOf(name), bytesOf(value)]));
}

/** What a container's root may do, without CAP_. */
export function capabilitiesOf({ securityContext = {} }: Container): string[] {
  const { privileged, capabilities: { add = [], drop = [] } = {} } = securityContext;
  const all = [...DEFAULT_CAPABILITIES, ...OTHER_CAPABILITIES];
  if (privileged) return all;
  const names = (list: readonly string[]): string[] => list.map((name) => name.toUpperCase().replace(/^CAP_/, ''));
  const [added, dropped] = [names(add), names(drop)];
  const kept = dropped.includes('ALL') ? [] : DEFAULT_CAPABILITIES.filter((name) => !dropped.includes(name));
  return [...new Set([...kept, ...(added.includes('ALL') ? all.filter((name) => !dropped.includes(name)) : added)])];
}
