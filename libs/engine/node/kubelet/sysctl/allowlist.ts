import type { Pod } from '../../../api/core_v1.js';
import type { AdmitFailure } from '../lifecycle/admit-failure.js';

/** The namespaces of the kernel that parameters belong to. */
type Namespace = 'ipc' | 'net';

const SAFE: Readonly<Record<string, Namespace>> = {
  'kernel.shm_rmid_forced': 'ipc',
  'net.ipv4.ip_local_port_range': 'net',
  'net.ipv4.tcp_syncookies': 'net',
  'net.ipv4.ping_group_range': 'net',
  'net.ipv4.ip_unprivileged_port_start': 'net',
  'net.ipv4.ip_local_reserved_ports': 'net',
  'net.ipv4.tcp_keepalive_time': 'net',
  'net.ipv4.tcp_fin_timeout': 'net',
  'net.ipv4.tcp_keepalive_intvl': 'net',
  'net.ipv4.tcp_keepalive_probes': 'net',
  'net.ipv4.tcp_rmem': 'net',
  'net.ipv4.tcp_wmem': 'net',
};
const IPC_NAMES = new Set(['kernel.sem']);
const IPC_PREFIXES = ['kernel.shm', 'kernel.msg', 'fs.mqueue.'];

/**
 * Why a node does not admit a pod that sets kernel parameters; `allowed`: the kubelet's allowedUnsafeSysctls. Models
 * pkg/kubelet/sysctl/allowlist.go Admit.
 */
export function checkSysctls({ spec }: Pod, allowed: readonly string[] = []): AdmitFailure | undefined {
  for (const { name } of spec.securityContext?.sysctls ?? []) {
    const problem = findProblem(normalizeName(name), spec.hostNetwork === true, spec.hostIPC === true, allowed);
    if (problem) return { reason: 'SysctlForbidden', message: `forbidden sysctl: ${problem}` };
  }
  return undefined;
}

/** The pod's kernel parameters by their names with dots. */
export const sysctlsOf = ({ spec }: Pod): Record<string, string> =>
  Object.fromEntries((spec.securityContext?.sysctls ?? []).map(({ name, value }) => [normalizeName(name), value]));

/** Models allowlist.go validateSysctl. */
function findProblem(
  name: string,
  hasHostNetwork: boolean,
  hasHostIPC: boolean,
  allowed: readonly string[],
): string | undefined {
  const safe = Object.hasOwn(SAFE, name) ? SAFE[name] : undefined;
  const isAllowed = safe !== undefined || allowed.some((pattern) => matches(normalizeName(pattern), name));
  if (!isAllowed) return `"${name}" not allowlisted`;
  const namespace = safe ?? namespaceOf(name);
  if (namespace === 'ipc' && hasHostIPC) return `"${name}" not allowed with host ipc enabled`;
  if (namespace === 'net' && hasHostNetwork) return `"${name}" not allowed with host net enabled`;
  return undefined;
}

/** 'kernel.msg*' stands for what begins so. */
const matches = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

/** Models component-helpers/node/util/sysctl/namespace.go GetNamespace. */
function namespaceOf(name: string): Namespace | undefined {
  if (name.startsWith('net.')) return 'net';
  return IPC_NAMES.has(name) || IPC_PREFIXES.some((prefix) => name.startsWith(prefix)) ? 'ipc' : undefined;
}

/** A name whose first separator is a slash has dots and slashes exchanged. Models component-helpers NormalizeName. */
function normalizeName(name: string): string {
  if (/[./]/.exec(name)?.[0] !== '/') return name;
  return name.replace(/[./]/g, (separator) => (separator === '.' ? '/' : '.'));
}
