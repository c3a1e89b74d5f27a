import type { Container, Pod } from '../../../api/core_v1.js';
import { Pods } from '../../../kinds/index.js';
import { findHost } from '../../../kinds/terrarium/noderuntime/hosts.js';
import { hash32 } from '../../../machinery/random.js';
import type { Reader } from '../../../machinery/reader.js';
import { parseTimestamp, SECOND, type Millis } from '../../../machinery/time/time.js';
import { actionFor, parseProfile, type Profile, SECCOMP_ROOT } from '../../kubelet/kuberuntime/seccomp.js';

/** What nearly every server calls until it accepts connections: names, and numbers on x86-64. */
const STARTUP: readonly (readonly [string, number])[] = [
  ...([
    ['execve', 59],
    ['brk', 12],
    ['arch_prctl', 158],
    ['mmap', 9],
    ['sched_getaffinity', 204],
  ] as const),
  ...([
    ['openat', 257],
    ['read', 0],
    ['close', 3],
    ['rt_sigaction', 13],
    ['sigaltstack', 131],
  ] as const),
  ...([
    ['rt_sigprocmask', 14],
    ['gettid', 186],
    ['clone', 56],
    ['futex', 202],
    ['nanosleep', 35],
  ] as const),
  ...([
    ['getpid', 39],
    ['socket', 41],
    ['setsockopt', 54],
    ['bind', 49],
    ['listen', 50],
  ] as const),
  ...([
    ['epoll_create1', 291],
    ['epoll_ctl', 233],
    ['getsockname', 51],
    ['accept4', 288],
  ] as const),
  ...([['epoll_pwait', 281]] as const),
];
/** Between two calls. */
const STEP = 0.000_002;
const MAX_CONTAINERS = 100;

export interface AuditSource {
  /** The command that an image runs by itself. */
  commandOf(image: string): readonly string[];
  /** A file of the node's disk. */
  readFile(path: string): string | undefined;
}

/**
 * What the kernel of a node has said of calls that seccomp profiles log, as syslog keeps it. Left out: calls of what
 * comes after a program's start. Models kernel/auditsc.c audit_seccomp.
 */
export function viewAudit(read: Reader, node: string, { commandOf, readFile }: AuditSource): string {
  const found = findHost(read, node);
  const audited = read
    .list(Pods)
    .filter(({ spec }) => spec.nodeName === node)
    .flatMap((pod) => pod.spec.containers.map((container) => ({ pod, container, path: profileOf(pod, container) })))
    .filter(({ path }) => path !== undefined)
    .slice(0, MAX_CONTAINERS);
  if (!found || audited.length === 0) return '';
  const booted = parseTimestamp(found.metadata.creationTimestamp ?? '') || 0;
  const lines = audited.flatMap(({ pod, container, path }) => {
    const text = readFile(`${SECCOMP_ROOT}/${path!}`);
    const profile = text === undefined ? '' : parseProfile(text);
    const status = pod.status.containerStatuses?.find(({ name }) => name === container.name);
    const started = status?.state?.running?.startedAt ?? status?.state?.terminated?.startedAt;
    if (typeof profile === 'string' || !started) return [];
    const [program = container.name] = [
      ...(container.command ?? commandOf(container.image ?? '')),
      ...(container.args ?? []),
    ];
    const process = { program, user: userOf(pod, container), id: status?.containerID ?? '' };
    return linesOf(profile, process, { at: parseTimestamp(started), booted, node });
  });
  return lines
    .sort((a, b) => a.at - b.at)
    .map(({ text }, i) => text.replace('SERIAL', String(i + 1)))
    .join('');
}

function profileOf({ spec }: Pod, { securityContext }: Container): string | undefined {
  if (securityContext?.privileged) return undefined;
  const profile = securityContext?.seccompProfile ?? spec.securityContext?.seccompProfile;
  return profile?.type === 'Localhost' ? profile.localhostProfile : undefined;
}

const userOf = ({ spec }: Pod, { securityContext }: Container): number =>
  securityContext?.runAsUser ?? spec.securityContext?.runAsUser ?? 0;

interface Audited {
  readonly program: string;
  readonly user: number;
  readonly id: string;
}

function linesOf(
  profile: Profile,
  { program, user, id }: Audited,
  { at, booted, node }: { readonly at: Millis; readonly booted: Millis; readonly node: string },
): { readonly at: number; readonly text: string }[] {
  const comm = program.slice(program.lastIndexOf('/') + 1).slice(0, 15);
  const pid = 1_000 + (hash32(id) % 60_000);
  const logged = STARTUP.filter(([name]) => actionFor(profile, name) === 'SCMP_ACT_LOG');
  const date = new Date(at).toUTCString().split(' ');
  const stamp = `${date[2]} ${String(Number(date[1])).padStart(2)} ${date[4]}`;
  return logged.map(([name, number], i) => {
    const now = (at - booted) / SECOND + i * STEP;
    const where = (0x45_0000 + (hash32(name) % 0x2_0000)).toString(16);
    const text =
      `${stamp} ${node} kernel: [${now.toFixed(6).padStart(12)}] audit: type=1326 audit(${(at / SECOND).toFixed(3)}:SERIAL): ` +
      `auid=4294967295 uid=${user} gid=0 ses=4294967295 subj=cri-containerd.apparmor.d pid=${pid} comm="${comm}" ` +
      `exe="${program}" sig=0 arch=c000003e syscall=${number} compat=0 ip=0x${where} code=0x7ffc0000\n`;
    return { at: now, text };
  });
}
