import type { Container, SELinuxOptions } from '../../api/core_v1.js';
import {
  checkAddedCapabilities,
  containersOf,
  findContainers,
  findSetters,
  hasOwnUsers,
  inContainers,
  listContainers,
  plural,
  quote,
  sorted,
  withSubject,
  type Check,
  type PodLike,
} from './check.js';
import { checkSeccomp } from './seccomp.js';

const DEFAULT_CAPABILITIES = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);
const SAFE_SYSCTLS = [
  ['kernel.shm_rmid_forced', 0],
  ['net.ipv4.ip_local_port_range', 0],
  ['net.ipv4.tcp_syncookies', 0],
  ['net.ipv4.ping_group_range', 0],
  ['net.ipv4.ip_unprivileged_port_start', 0],
  ['net.ipv4.ip_local_reserved_ports', 27],
  ['net.ipv4.tcp_keepalive_time', 29],
  ['net.ipv4.tcp_fin_timeout', 29],
  ['net.ipv4.tcp_keepalive_intvl', 29],
  ['net.ipv4.tcp_keepalive_probes', 29],
  ['net.ipv4.tcp_rmem', 32],
  ['net.ipv4.tcp_wmem', 32],
] as const;
const SELINUX_TYPES = ['', 'container_t', 'container_init_t', 'container_kvm_t'];
const APPARMOR = 'container.apparmor.security.beta.kubernetes.io/';

function checkAppArmor(pod: PodLike): string | undefined {
  const values: string[] = [];
  const bad = (type: string | undefined): boolean =>
    type !== undefined && type !== 'RuntimeDefault' && type !== 'Localhost';
  const who = findSetters(
    pod,
    ({ appArmorProfile }) => bad(appArmorProfile?.type) && values.push(appArmorProfile!.type) > 0,
  );
  const annotations = Object.entries(pod.metadata.annotations ?? {}).filter(
    ([key, v]) => key.startsWith(APPARMOR) && v !== '' && v !== 'runtime/default' && !v.startsWith('localhost/'),
  );
  const keys = annotations.map(([key]) => key).sort();
  const setBy = [
    ...(who ? [who] : []),
    ...(keys.length ? [`${plural('annotation', 'annotations', keys)} ${quote(keys)}`] : []),
  ];
  return setBy.length
    ? `${setBy.join(' and ')} must not set AppArmor profile type to ${quote(sorted([...values, ...annotations.map(([, v]) => v)]))}`
    : undefined;
}

function checkSeLinux(pod: PodLike, minor: number): string | undefined {
  const types: string[] = [];
  let [user, role] = [false, false];
  const allowed = minor >= 31 ? [...SELINUX_TYPES, 'container_engine_t'] : SELINUX_TYPES;
  const bad = ({ type = '', user: u, role: r }: SELinuxOptions): boolean => {
    const wrongType = !allowed.includes(type);
    if (wrongType) types.push(type);
    if (u) user = true;
    if (r) role = true;
    return wrongType || Boolean(u) || Boolean(r);
  };
  const who = findSetters(pod, ({ seLinuxOptions }) => seLinuxOptions !== undefined && bad(seLinuxOptions));
  const what = [
    ...(types.length ? [`${plural('type', 'types', sorted(types))} ${quote(sorted(types))}`] : []),
    ...(user ? ['user may not be set'] : []),
    ...(role ? ['role may not be set'] : []),
  ];
  return who ? `${who} set forbidden securityContext.seLinuxOptions: ${what.join('; ')}` : undefined;
}

function checkProbeHosts(pod: PodLike): string | undefined {
  const hosts = (c: Container): string[] => {
    const handlers = [c.livenessProbe, c.readinessProbe, c.startupProbe, c.lifecycle?.postStart, c.lifecycle?.preStop];
    return handlers.flatMap((h) => [h?.httpGet?.host, h?.tcpSocket?.host]).filter((h): h is string => Boolean(h));
  };
  const containers = findContainers(pod, (c) => hosts(c).length > 0);
  const bad = sorted(containersOf(pod.spec).flatMap(hosts));
  return containers.length
    ? `${listContainers(containers)} ${plural('uses', 'use', containers)} probe or lifecycle ${plural('host', 'hosts', bad)} ${quote(bad)}`
    : undefined;
}

function checkHostPorts(pod: PodLike): string | undefined {
  const ports = (c: Container): string[] => (c.ports ?? []).filter((p) => p.hostPort).map((p) => String(p.hostPort));
  const containers = findContainers(pod, (c) => ports(c).length > 0);
  const bad = sorted(containersOf(pod.spec).flatMap(ports));
  return containers.length
    ? `${listContainers(containers)} ${plural('uses', 'use', containers)} ${plural('hostPort', 'hostPorts', bad)} ${bad.join(', ')}`
    : undefined;
}

/** The checks of the level baseline, in upstream's order. Models pod-security-admission/policy/check_*.go. */
export const BASELINE_CHECKS: readonly Check[] = [
  { level: 'baseline', since: 0, reason: 'forbidden AppArmor profile', detail: checkAppArmor },
  {
    level: 'baseline',
    since: 0,
    reason: 'non-default capabilities',
    overridden: true,
    detail: (pod) => checkAddedCapabilities(pod, (c) => DEFAULT_CAPABILITIES.has(c)),
  },
  {
    level: 'baseline',
    since: 0,
    reason: 'host namespaces',
    detail: ({ spec }) =>
      (['hostNetwork', 'hostPID', 'hostIPC'] as const)
        .filter((f) => spec[f])
        .map((f) => `${f}=true`)
        .join(', '),
  },
  {
    level: 'baseline',
    since: 0,
    reason: 'hostPath volumes',
    overridden: true,
    detail: ({ spec }) => {
      const names = (spec.volumes ?? []).filter((v) => v.hostPath).map((v) => v.name);
      return names.length ? `${plural('volume', 'volumes', names)} ${quote(names)}` : undefined;
    },
  },
  { level: 'baseline', since: 0, reason: 'hostPort', detail: checkHostPorts },
  { level: 'baseline', since: 34, reason: 'probe or lifecycle host', detail: checkProbeHosts },
  {
    level: 'baseline',
    since: 0,
    reason: 'privileged',
    detail: (pod) =>
      inContainers(
        findContainers(pod, (c) => c.securityContext?.privileged === true),
        'must not set securityContext.privileged=true',
      ),
  },
  {
    level: 'baseline',
    since: 0,
    reason: 'procMount',
    detail: (pod) =>
      hasOwnUsers(pod)
        ? undefined
        : inContainers(
            findContainers(pod, (c) => (c.securityContext?.procMount ?? 'Default') !== 'Default'),
            'must not set securityContext.procMount to "Unmasked"',
          ),
  },
  { level: 'baseline', since: 0, reason: 'seLinuxOptions', detail: checkSeLinux },
  {
    level: 'baseline',
    since: 19,
    reason: 'seccompProfile',
    overridden: true,
    detail: (pod) => checkSeccomp(pod, false),
  },
  {
    level: 'baseline',
    since: 0,
    reason: 'forbidden sysctls',
    detail: ({ spec }, minor) =>
      (spec.securityContext?.sysctls ?? [])
        .map((s) => s.name)
        .filter((name) => !SAFE_SYSCTLS.some(([safe, since]) => safe === name && minor >= since))
        .join(', '),
  },
  {
    level: 'baseline',
    since: 0,
    reason: 'hostProcess',
    detail: (pod) =>
      withSubject(
        findSetters(pod, (c) => c.windowsOptions?.hostProcess === true),
        'must not set securityContext.windowsOptions.hostProcess=true',
      ),
  },
];
