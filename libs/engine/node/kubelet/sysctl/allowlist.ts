import type { Pod } from '../../../api/core_v1.js';
import type { AdmitFailure } from '../lifecycle/admit-failure.js';

const IPC_SYSCTLS = ['kernel.shm_rmid_forced'];
const NETWORK_SYSCTLS = [
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.ip_local_reserved_ports',
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
  'net.ipv4.tcp_rmem',
  'net.ipv4.tcp_wmem',
];

/** Why a node that allows safe sysctls only does not admit a pod. Models pkg/kubelet/sysctl/allowlist.go Admit. */
export function checkSysctls({ spec }: Pod): AdmitFailure | undefined {
  for (const { name } of spec.securityContext?.sysctls ?? []) {
    const problem = findProblem(normalizeName(name), spec.hostNetwork === true, spec.hostIPC === true);
    if (problem) return { reason: 'SysctlForbidden', message: `forbidden sysctl: ${problem}` };
  }
  return undefined;
}

/** The pod's kernel parameters by their names with dots. */
export const sysctlsOf = ({ spec }: Pod): Record<string, string> =>
  Object.fromEntries((spec.securityContext?.sysctls ?? []).map(({ name, value }) => [normalizeName(name), value]));

function findProblem(name: string, hasHostNetwork: boolean, hasHostIPC: boolean): string | undefined {
  if (IPC_SYSCTLS.includes(name)) return hasHostIPC ? `"${name}" not allowed with host ipc enabled` : undefined;
  if (NETWORK_SYSCTLS.includes(name)) return hasHostNetwork ? `"${name}" not allowed with host net enabled` : undefined;
  return `"${name}" not allowlisted`;
}

/** A name whose first separator is a slash has dots and slashes exchanged. Models component-helpers NormalizeName. */
function normalizeName(name: string): string {
  if (/[./]/.exec(name)?.[0] !== '/') return name;
  return name.replace(/[./]/g, (separator) => (separator === '.' ? '/' : '.'));
}
