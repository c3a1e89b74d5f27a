import type { Container, Pod, PodSpec, SELinuxOptions } from '../../api/core_v1.js';

/** A pod, or the pod template of a workload. */
export type PodLike = Pick<Pod, 'metadata' | 'spec'>;

export interface Check {
  readonly level: 'baseline' | 'restricted';
  /** The first minor version of 1.x whose policy has the check. */
  readonly since: number;
  /** Upstream's ForbiddenReason: 'host namespaces'. */
  readonly reason: string;
  /** A baseline check that the restricted level replaces with a stricter one. */
  readonly overridden?: boolean;
  /** Upstream's ForbiddenDetail; undefined or '' when the pod passes. */
  detail(pod: PodLike, minor: number): string | undefined;
}

type Bad = readonly string[];
const quote = (list: Bad): string => list.map((v) => JSON.stringify(v)).join(', ');
const sorted = (list: Bad): string[] => [...new Set(list)].sort();
const plural = (one: string, many: string, list: Bad): string => (list.length === 1 ? one : many);
const listContainers = (containers: Bad): string =>
  `${plural('container', 'containers', containers)} ${quote(containers)}`;

const containersOf = ({
  initContainers = [],
  containers = [],
  ephemeralContainers = [],
}: PodSpec): readonly Container[] => [...initContainers, ...containers, ...(ephemeralContainers as Container[])];
const findContainers = (pod: PodLike, bad: (c: Container) => boolean): string[] =>
  containersOf(pod.spec)
    .filter(bad)
    .map((c) => c.name);

/** 'pod and container "a"': the parts of a pod that set a forbidden value. */
function listSetters(inPod: boolean, containers: Bad): string | undefined {
  const parts = [...(inPod ? ['pod'] : []), ...(containers.length ? [listContainers(containers)] : [])];
  return parts.length ? parts.join(' and ') : undefined;
}

/** The fields that the security contexts of pods and containers share. */
type Context = NonNullable<PodSpec['securityContext']> & NonNullable<Container['securityContext']>;
/** The parts of the pod whose security context is bad, as listSetters() prints them. */
function findSetters(pod: PodLike, bad: (context: Context) => boolean): string | undefined {
  const context = pod.spec.securityContext;
  return listSetters(
    context !== undefined && bad(context as Context),
    findContainers(pod, (c) => c.securityContext !== undefined && bad(c.securityContext as Context)),
  );
}

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
const SAFE_VOLUMES = new Set([
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
]);
const APPARMOR = 'container.apparmor.security.beta.kubernetes.io/';

const isWindows = ({ spec }: PodLike, minor: number): boolean => minor >= 25 && spec.os?.name === 'windows';
const hasOwnUsers = ({ spec }: PodLike): boolean => spec.hostUsers === false;

const checkAddedCapabilities = (pod: PodLike, allowed: (capability: string) => boolean): string | undefined => {
  const forbidden = (c: Container): string[] =>
    (c.securityContext?.capabilities?.add ?? []).filter((capability) => !allowed(capability));
  const containers = findContainers(pod, (c) => forbidden(c).length > 0);
  return containers.length
    ? `${listContainers(containers)} must not include ${quote(sorted(containersOf(pod.spec).flatMap(forbidden)))} in securityContext.capabilities.add`
    : undefined;
};

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

function checkVolumeTypes({ spec }: PodLike): string | undefined {
  const sourceOf = (volume: object): string => Object.keys(volume).find((k) => k !== 'name') ?? 'unknown';
  const bad = (spec.volumes ?? []).filter((v) => !SAFE_VOLUMES.has(sourceOf(v)));
  if (bad.length === 0) return undefined;
  const [names, types] = [bad.map((v) => v.name), sorted(bad.map(sourceOf))];
  return `${plural('volume', 'volumes', names)} ${quote(names)} ${plural('uses', 'use', names)} restricted volume ${plural('type', 'types', types)} ${quote(types)}`;
}

/**
 * The detail of a field that a pod, or else each container, must set: a bad value anywhere comes first, then the
 * containers without a value. Models check_runAsNonRoot and check_seccompProfile_restricted.
 */
function checkRequired(
  pod: PodLike,
  isSet: (context: Context) => boolean,
  isBad: (context: Context) => boolean,
  wrong: (who: string) => string,
  missing: string,
): string | undefined {
  const who = findSetters(pod, isBad);
  if (who) return wrong(who);
  const context = pod.spec.securityContext as Context | undefined;
  if (context && isSet(context)) return undefined;
  const containers = findContainers(pod, (c) => !c.securityContext || !isSet(c.securityContext as Context));
  return containers.length ? `pod or ${listContainers(containers)} must set ${missing}` : undefined;
}

const isSafeSeccomp = (type: string): boolean => type === 'RuntimeDefault' || type === 'Localhost';
function checkSeccomp(pod: PodLike, required: boolean): string | undefined {
  const values: string[] = [];
  const bad = ({ seccompProfile }: Context): boolean =>
    seccompProfile !== undefined && !isSafeSeccomp(seccompProfile.type) && values.push(seccompProfile.type) > 0;
  const wrong = (who: string): string =>
    `${who} must not set securityContext.seccompProfile.type to ${quote(sorted(values))}`;
  if (required)
    return checkRequired(
      pod,
      (c) => c.seccompProfile !== undefined,
      bad,
      wrong,
      'securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"',
    );
  const who = findSetters(pod, bad);
  return who && wrong(who);
}

const withSubject = (who: string | undefined, what: string): string | undefined => who && `${who} ${what}`;
const inContainers = (containers: Bad, what: string): string | undefined =>
  containers.length ? `${listContainers(containers)} ${what}` : undefined;

/** In upstream's order. Models staging/src/k8s.io/pod-security-admission/policy. */
export const CHECKS: readonly Check[] = [
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
  {
    level: 'restricted',
    since: 8,
    reason: 'allowPrivilegeEscalation != false',
    detail: (pod, minor) =>
      isWindows(pod, minor)
        ? undefined
        : inContainers(
            findContainers(pod, (c) => c.securityContext?.allowPrivilegeEscalation !== false),
            'must set securityContext.allowPrivilegeEscalation=false',
          ),
  },
  {
    level: 'restricted',
    since: 22,
    reason: 'unrestricted capabilities',
    detail: (pod, minor) => {
      if (isWindows(pod, minor)) return undefined;
      const undropped = findContainers(pod, (c) => !c.securityContext?.capabilities?.drop?.includes('ALL'));
      return [
        inContainers(undropped, 'must set securityContext.capabilities.drop=["ALL"]'),
        checkAddedCapabilities(pod, (c) => c === 'NET_BIND_SERVICE'),
      ]
        .filter(Boolean)
        .join('; ');
    },
  },
  { level: 'restricted', since: 0, reason: 'restricted volume types', detail: checkVolumeTypes },
  {
    level: 'restricted',
    since: 0,
    reason: 'runAsNonRoot != true',
    detail: (pod) =>
      hasOwnUsers(pod)
        ? undefined
        : checkRequired(
            pod,
            (c) => c.runAsNonRoot === true,
            (c) => c.runAsNonRoot === false,
            (who) => `${who} must not set securityContext.runAsNonRoot=false`,
            'securityContext.runAsNonRoot=true',
          ),
  },
  {
    level: 'restricted',
    since: 23,
    reason: 'runAsUser=0',
    detail: (pod) =>
      hasOwnUsers(pod)
        ? undefined
        : withSubject(
            findSetters(pod, (c) => c.runAsUser === 0),
            'must not set runAsUser=0',
          ),
  },
  {
    level: 'restricted',
    since: 19,
    reason: 'seccompProfile',
    detail: (pod, minor) => (isWindows(pod, minor) ? undefined : checkSeccomp(pod, true)),
  },
];
