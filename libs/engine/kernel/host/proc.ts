import { SystemError } from '../errno.js';
import type { Bytes } from '../bytes.js';
import type { Container } from '../container-state.js';
import type { Entry } from '../files/computed.js';
import type { ProcessRoot } from '../files/computed-file-system.js';
import { namespaceLink, NAMESPACE_NAMES } from '../proc/namespaces.js';
import { mountsOf } from '../process/root.js';
import type { State } from '../state.js';
import { HOST_ROOT, type HostProcess } from './host.js';
import { describeHostProcess } from './processes.js';

const KIB = 1024;
const PAGE = 4_096;
const TICK_MS = 10;
/** Nobody's: whoever looks needs SYS_PTRACE. */
const TRACED = -1;

const NAMES = ['cgroup', 'cmdline', 'comm', 'cwd', 'exe', 'ns', 'oom_score_adj', 'root', 'stat', 'statm', 'status'];

/** /proc/PID of a process of the host. Left out: its files, its environment, its mounts. */
export function hostProcessEntry(
  state: State,
  container: Container,
  process: HostProcess,
  rest: Bytes,
): Entry | undefined {
  const owner = { user: process.user, group: process.user };
  const file = (content: () => Bytes): Entry => ({ type: 'file', content, owner });
  const link = (target: Bytes): Entry => ({ type: 'link', target, owner });
  const { name } = describeHostProcess(process);
  if (rest.startsWith('ns/')) {
    const found = namespaceLink(rest.slice(3), process.container === undefined, process.pid);
    return found === undefined ? undefined : link(found);
  }
  switch (rest) {
    case '':
      return { type: 'directory', names: NAMES, owner };
    case 'cgroup':
      return file(() => '0::/\n');
    case 'cmdline':
      return file(() => process.argv.map((one) => `${one}\0`).join(''));
    case 'comm':
      return file(() => `${name}\n`);
    case 'cwd':
      return link('/');
    case 'exe':
      return link(process.argv[0] ?? '');
    case 'ns':
      return { type: 'directory', names: NAMESPACE_NAMES, mode: 0o511, owner };
    case 'oom_score_adj':
      return file(() => '0\n');
    case 'root':
      return { type: 'link', target: '/', owner, root: () => rootOf(state, container, process) };
    case 'stat':
      return file(() => statLine(state, process, name));
    case 'statm':
      return file(() => `${pagesOf(process)} ${pagesOf(process)} 0 1 0 1 0\n`);
    case 'status':
      return file(() => statusText(process, name));
    default:
      return undefined;
  }
}

/** The files of the host's own processes are its disk's; those of other machines are out of reach. */
function rootOf(state: State, container: Container, { container: other }: HostProcess): ProcessRoot {
  const isReached = container.systemRoots?.includes(HOST_ROOT) === true && other === undefined;
  if (!isReached) throw new SystemError('EACCES');
  return { mounts: mountsOf(state, { container: container.id, root: HOST_ROOT }), user: TRACED };
}

const pagesOf = ({ memory }: HostProcess): number => Math.ceil(memory / PAGE);

/** The 52 columns of /proc/PID/stat. */
function statLine({ bootedAt }: State, process: HostProcess, name: string): Bytes {
  const { pid, parent, startedAt, memory } = process;
  const start = Math.max(0, Math.floor((startedAt - bootedAt) / TICK_MS));
  const columns = [
    ...[pid, `(${name})`, 'S', parent, pid, pid, 0, -1, 4194560, 100, 0, 0, 0, 0, 0, 0, 0, 20, 0, 1, 0, start],
    ...[memory, pagesOf(process), '18446744073709551615', ...new Array<number>(27).fill(0)],
  ];
  return `${columns.join(' ')}\n`;
}

function statusText({ pid, parent, user, memory }: HostProcess, name: string): Bytes {
  const ids = [user, user, user, user].join('\t');
  const size = `${Math.ceil(memory / KIB)} kB`.padStart(11);
  const lines = [
    ...[`Name:\t${name}`, 'Umask:\t0022', 'State:\tS (sleeping)', `Tgid:\t${pid}`, 'Ngid:\t0', `Pid:\t${pid}`],
    ...[`PPid:\t${parent}`, 'TracerPid:\t0', `Uid:\t${ids}`, `Gid:\t${ids}`, 'FDSize:\t64', `Groups:\t${user} `],
    ...[`VmPeak:\t${size}`, `VmSize:\t${size}`, `VmRSS:\t${size}`, 'Threads:\t1'],
  ];
  return `${lines.join('\n')}\n`;
}
