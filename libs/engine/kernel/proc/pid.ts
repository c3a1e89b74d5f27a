import { STEPS_PER_MS } from '../cgroup/cpu.js';
import { residentOf } from '../cgroup/memory.js';
import { describeProcess } from '../calls/processes.js';
import type { Bytes } from '../bytes.js';
import type { Description } from '../descriptors/description.js';
import type { Entry } from '../files/computed.js';
import { confinementLine } from '../process/confinement/confine.js';
import type { Process } from '../process/process.js';
import { mountsOf } from '../process/root.js';
import { parentPid } from '../process/table.js';
import { SIGNALS, type Signal } from '../signals.js';
import type { State } from '../state.js';
import { terminalName } from '../terminals/output.js';
import { HOST_ROOT } from '../host/host.js';
import { mapLines } from './maps.js';
import { listMounts, mountLines } from './mounts.js';
import { NAMESPACE_NAMES, namespaceLink } from './namespaces.js';

/** USER_HZ. */
const TICK_MS = 10;
const KIB = 1024;
const PAGE = 4_096;

const STATE_NAMES = { R: 'running', S: 'sleeping', T: 'stopped', Z: 'zombie' };

const NAMES = [
  'cgroup',
  'cmdline',
  'comm',
  'cwd',
  'environ',
  'exe',
  'attr',
  'fd',
  'gid_map',
  'limits',
  'maps',
  'mountinfo',
  'mounts',
  'net',
  'ns',
  'oom_score_adj',
  'root',
  'stat',
  'statm',
  'status',
  'uid_map',
];

/** /proc/PID and what is in it. `rest`: the path below it, '' for itself. */
export function processEntry(state: State, process: Process, rest: Bytes): Entry | undefined {
  const owner = { user: process.user, group: process.groupId };
  const file = (content: () => Bytes, mode?: number): Entry => ({ type: 'file', content, mode, owner });
  const link = (target: Bytes): Entry => ({ type: 'link', target, owner });
  if (rest.startsWith('fd/')) return descriptorEntry(state, process, rest.slice(3));
  if (rest.startsWith('ns/')) return namespaceEntry(state, process, rest.slice(3));
  switch (rest) {
    case '':
      return { type: 'directory', names: NAMES, owner };
    case 'attr':
    case 'attr/apparmor':
      return { type: 'directory', names: rest === 'attr' ? ['apparmor', 'current'] : ['current'], owner };
    case 'attr/current':
    case 'attr/apparmor/current':
      return file(() => confinementLine(state, process));
    case 'cgroup':
      return file(() => '0::/\n');
    case 'cmdline':
      return file(() => (process.status === 'zombie' ? '' : process.argv.map((one) => `${one}\0`).join('')));
    case 'comm':
      return file(() => `${process.name}\n`, 0o644);
    case 'cwd':
      return link(process.cwd);
    case 'environ':
      return file(() => environment(process), 0o400);
    case 'exe':
      return link(process.executable);
    case 'fd':
      return { type: 'directory', names: Object.keys(process.descriptors), mode: 0o500, owner };
    case 'gid_map':
    case 'uid_map':
      return file(() => userMap(state, process), 0o644);
    case 'limits':
      return file(() => LIMITS);
    case 'maps':
      return file(() => mapLines(process));
    case 'mounts':
      return file(() => mountLines(state, process));
    case 'mountinfo':
      return file(() => mountInfo(state, process));
    case 'ns':
      return { type: 'directory', names: NAMESPACE_NAMES, mode: 0o511, owner };
    case 'oom_score_adj':
      return file(() => '0\n', 0o644);
    case 'root':
      return {
        ...{ type: 'link', target: process.root ?? '/', owner },
        root: () => ({ mounts: mountsOf(state, process), user: process.user }),
      };
    case 'stat':
      return file(() => statLine(state, process));
    case 'statm':
      return file(
        () => `${Math.ceil(residentOf(process) / PAGE)} ${Math.ceil(residentOf(process) / PAGE)} 0 1 0 1 0\n`,
      );
    case 'status':
      return file(() => statusText(state, process));
    default:
      return undefined;
  }
}

const environment = (process: Process): Bytes =>
  Object.entries(process.env)
    .map(([name, value]) => `${name}=${value}\0`)
    .join('');

function descriptorEntry(state: State, process: Process, name: Bytes): Entry | undefined {
  const id = /^\d+$/.test(name) ? process.descriptors[Number(name)] : undefined;
  const open = id === undefined ? undefined : state.descriptions.get(id);
  if (open === undefined) return undefined;
  return { type: 'link', target: targetOf(state, open), description: open.id };
}

/** A pod's containers share all namespaces but mnt and, mostly, pid. */
function namespaceEntry(state: State, process: Process, name: Bytes): Entry | undefined {
  const container = state.containers.get(process.container);
  const hosts: Readonly<Record<string, boolean>> = {
    ...{ cgroup: true, time: true, user: container?.usersFrom === undefined, pid: container?.host?.pid !== undefined },
    mnt: process.root === HOST_ROOT,
  };
  const target = namespaceLink(name, hosts[name] === true);
  return target === undefined ? undefined : { type: 'link', target };
}

/** What readlink says of an open file. */
function targetOf(state: State, open: Description): Bytes {
  switch (open.type) {
    case 'file':
    case 'directory':
    case 'computed':
      return open.path;
    case 'pipe':
      return `pipe:[${10_000 + open.pipe}]`;
    case 'terminal':
      return `/dev/${terminalName(state.terminals.get(open.terminal)!)}`;
    case 'device':
      return open.device === 'random' ? '/dev/urandom' : `/dev/${open.device}`;
    case 'socket':
      return `socket:[${10_000 + open.socket}]`;
    default:
      return `pipe:[${9_000 + open.id}]`;
  }
}

/** The 52 columns of /proc/PID/stat. */
function statLine(state: State, process: Process): Bytes {
  const info = describeProcess(state, process);
  const terminal = process.terminal === undefined ? undefined : state.terminals.get(process.terminal);
  const ticks = Math.floor(process.cpu / STEPS_PER_MS / TICK_MS);
  const start = Math.floor((process.startedAt - state.bootedAt) / TICK_MS);
  const ttyNumber = terminal === undefined ? 0 : 136 * 256 + terminal.number;
  const foreground = terminal === undefined ? -1 : terminal.foreground;
  const columns = [
    ...[process.pid, `(${process.name})`, info.state, info.parent, process.group, process.session, ttyNumber],
    ...[foreground, 4194560, 100, 0, 0, 0, ticks, 0, 0, 0, 20, 0, 1, 0, start],
    ...[residentOf(process), Math.ceil(residentOf(process) / PAGE), '18446744073709551615'],
    ...new Array<number>(27).fill(0),
  ];
  return `${columns.join(' ')}\n`;
}

function statusText(state: State, process: Process): Bytes {
  const { state: letter } = describeProcess(state, process);
  const ids = (id: number): string => [id, id, id, id].join('\t');
  const size = `${Math.ceil(residentOf(process) / KIB)} kB`.padStart(11);
  const isFiltered = state.containers.get(process.container)?.filter !== undefined;
  const lines = [
    `Name:\t${process.name}`,
    `Umask:\t${process.umask.toString(8).padStart(4, '0')}`,
    `State:\t${letter} (${STATE_NAMES[letter]})`,
    `Tgid:\t${process.pid}`,
    `Ngid:\t0`,
    `Pid:\t${process.pid}`,
    `PPid:\t${parentPid(state, process)}`,
    `TracerPid:\t0`,
    `Uid:\t${ids(process.user)}`,
    `Gid:\t${ids(process.groupId)}`,
    `FDSize:\t64`,
    `Groups:\t${[...new Set([process.groupId, ...process.groups])].sort((a, b) => a - b).join(' ')} `,
    ...(letter === 'Z' ? [] : [`VmPeak:\t${size}`, `VmSize:\t${size}`, `VmRSS:\t${size}`]),
    `Threads:\t1`,
    `SigPnd:\t${mask(process.pending)}`,
    `SigIgn:\t${mask(signalsWith(process, 'ignore'))}`,
    `SigCgt:\t${mask(signalsWith(process, 'catch'))}`,
    ...capabilityLines(state, process),
    `NoNewPrivs:\t${state.containers.get(process.container)?.noNewPrivileges ? 1 : 0}`,
    `Seccomp:\t${isFiltered ? 2 : 0}`,
    `Seccomp_filters:\t${isFiltered ? 1 : 0}`,
    `Cpus_allowed:\t3`,
    `Cpus_allowed_list:\t0-1`,
  ];
  return `${lines.join('\n')}\n`;
}

/** Users of the container, of the host, and how many: all, or those of a user namespace. */
function userMap(state: State, process: Process): Bytes {
  const from = state.containers.get(process.container)?.usersFrom;
  return [0, from ?? 0, from === undefined ? 2 ** 32 - 1 : 65_536].map((n) => String(n).padStart(10)).join(' ') + '\n';
}

const signalsWith = (process: Process, action: string): Signal[] =>
  (Object.keys(process.actions) as Signal[]).filter((signal) => process.actions[signal] === action);

const hex = (bits: bigint): string => bits.toString(16).padStart(16, '0');

const mask = (signals: readonly Signal[]): string =>
  hex(signals.reduce((bits, signal) => bits | (1n << BigInt(SIGNALS[signal] - 1)), 0n));

/** Capabilities by their bit: include/uapi/linux/capability.h. */
export const CAPABILITIES = (
  'CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER FSETID KILL SETGID SETUID SETPCAP LINUX_IMMUTABLE NET_BIND_SERVICE ' +
  'NET_BROADCAST NET_ADMIN NET_RAW IPC_LOCK IPC_OWNER SYS_MODULE SYS_RAWIO SYS_CHROOT SYS_PTRACE SYS_PACCT SYS_ADMIN ' +
  'SYS_BOOT SYS_NICE SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG MKNOD LEASE AUDIT_WRITE AUDIT_CONTROL SETFCAP MAC_OVERRIDE ' +
  'MAC_ADMIN SYSLOG WAKE_ALARM BLOCK_SUSPEND AUDIT_READ PERFMON BPF CHECKPOINT_RESTORE'
).split(' ');

function capabilityLines(state: State, process: Process): string[] {
  const names = state.containers.get(process.container)?.capabilities ?? [];
  const bits = names.reduce((all, name) => all | bitOf(name), 0n);
  const own = process.user === 0 ? bits : 0n;
  return [
    `CapInh:\t${hex(0n)}`,
    `CapPrm:\t${hex(own)}`,
    `CapEff:\t${hex(own)}`,
    `CapBnd:\t${hex(bits)}`,
    `CapAmb:\t${hex(0n)}`,
  ];
}

function bitOf(name: string): bigint {
  const bit = CAPABILITIES.indexOf(name);
  return bit < 0 ? 0n : 1n << BigInt(bit);
}

function mountInfo(state: State, process: Process): Bytes {
  const mounts = listMounts(state, process);
  const line = (index: number, path: Bytes, type: string, source: string, options: readonly string[]): string =>
    `${600 + index} ${index === 0 ? 599 : 600} 0:${40 + index} / ${path} ${options.join(',')} - ${type} ${source} rw\n`;
  return mounts.map((one, index) => line(index, one.path, one.type, one.source, one.options)).join('');
}

const limit = (name: string, soft: string, hard: string, units: string): string =>
  `${name.padEnd(26)}${soft.padEnd(21)}${hard.padEnd(21)}${units.padEnd(10)}\n`;

const UNLIMITED = 'unlimited';

const LIMITS = [
  limit('Limit', 'Soft Limit', 'Hard Limit', 'Units'),
  limit('Max cpu time', UNLIMITED, UNLIMITED, 'seconds'),
  limit('Max file size', UNLIMITED, UNLIMITED, 'bytes'),
  limit('Max data size', UNLIMITED, UNLIMITED, 'bytes'),
  limit('Max stack size', '8388608', UNLIMITED, 'bytes'),
  limit('Max core file size', UNLIMITED, UNLIMITED, 'bytes'),
  limit('Max resident set', UNLIMITED, UNLIMITED, 'bytes'),
  limit('Max processes', UNLIMITED, UNLIMITED, 'processes'),
  limit('Max open files', '1024', '1024', 'files'),
  limit('Max locked memory', '8388608', '8388608', 'bytes'),
  limit('Max address space', UNLIMITED, UNLIMITED, 'bytes'),
  limit('Max file locks', UNLIMITED, UNLIMITED, 'locks'),
  limit('Max pending signals', '31191', '31191', 'signals'),
  limit('Max msgqueue size', '819200', '819200', 'bytes'),
  limit('Max nice priority', '0', '0', ''),
  limit('Max realtime priority', '0', '0', ''),
  limit('Max realtime timeout', UNLIMITED, UNLIMITED, 'us'),
].join('');
