import { textOf } from '../../../engine/kernel/bytes.js';
import type { ProcessInfo, SocketInfo, Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { PROCESSES_FILE, type NodeProcess, type ProcessView } from '../../../engine/node/host/views/process-view.js';
import { readSmallFile } from '../accounts.js';

const NOTHING: ProcessView = { processes: [], sockets: [] };

/** On the node's disk, and where `kubectl debug node` has it, whose pod sees the node's processes (hostPID). */
const PLACES = [PROCESSES_FILE, `/host${PROCESSES_FILE}`];

function readView(sys: Syscalls): ProcessView {
  const place = PLACES.find((path) => sys.access(path, 'r'));
  return place === undefined ? NOTHING : (JSON.parse(textOf(readSmallFile(sys, place)) || '{}') as ProcessView);
}

/** When the node began to run; a machine that is no node's has its own time. */
export const nodeBootedAt = (sys: Syscalls): number =>
  readView(sys).processes.find(({ pid }) => pid === 1)?.startedAt ?? sys.bootedAt;

/** The first process of a container, or of a sandbox, of the node. */
export const mainOfContainer = (sys: Syscalls, id: string): NodeProcess | undefined =>
  readView(sys).processes.find(({ container }) => container === id);

export const pidOfContainer = (sys: Syscalls, id: string): number | undefined => mainOfContainer(sys, id)?.pid;

/** The first of a debugging container is among its node's. */
const MAIN = 1;

/**
 * The processes that a program sees: those of its machine, and, beside a node's disk, those of the node. Left out:
 * /proc, and signals to them.
 */
export function visibleProcesses(sys: Syscalls): readonly ProcessInfo[] {
  const own = sys.processes();
  const { processes = [] } = readView(sys);
  if (processes.length === 0) return own;
  const others = processes.map(({ pid, parent, user, argv, startedAt, memory }): ProcessInfo => ({
    ...{ pid, parent, group: pid, session: pid, user, groupId: user, terminal: '', state: 'S', argv },
    ...{ name: nameOf(argv[0] ?? ''), startedAt, cpu: 0, memory, isForeground: false },
  }));
  return [...others, ...own.filter(({ pid }) => pid !== MAIN)].sort((a, b) => a.pid - b.pid);
}

/** As the kernel has it: at most 15 characters. */
const nameOf = (path: string): string =>
  (path === '/sbin/init' ? 'systemd' : path.slice(path.lastIndexOf('/') + 1)).slice(0, 15);

/** The same of sockets. */
export function visibleSockets(sys: Syscalls): readonly SocketInfo[] {
  const { sockets = [] } = readView(sys);
  const others = sockets.map(({ address, port, pid, program }): SocketInfo => ({
    ...{ protocol: 'tcp', state: 'LISTEN', localAddress: address === '*' ? '::' : address, localPort: port },
    ...{ remoteAddress: address === '*' ? '::' : '0.0.0.0', remotePort: 0, pid, program: program.slice(0, 15) },
  }));
  return others.length === 0 ? sys.sockets() : [...others, ...sys.sockets()];
}
