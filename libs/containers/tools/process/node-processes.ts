import { textOf } from '../../../engine/kernel/bytes.js';
import type { SocketInfo, Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { PROCESSES_FILE, type NodeProcess, type ProcessView } from '../../../engine/node/host/views/process-view.js';
import { readSmallFile } from '../accounts.js';

const NOTHING: ProcessView = { processes: [], sockets: [] };

/** On the node's disk, and where `kubectl debug node` has it, whose pod is in the node's network. */
const PLACES = ['', '/host'];

function readView(sys: Syscalls, places: readonly string[] = PLACES): ProcessView {
  const file = places.map((place) => place + PROCESSES_FILE).find((path) => sys.access(path, 'r'));
  return file === undefined ? NOTHING : (JSON.parse(textOf(readSmallFile(sys, file)) || '{}') as ProcessView);
}

/** A process of the node, where a folder is the node's disk. */
export const processOfNode = (sys: Syscalls, pid: number, disk = ''): NodeProcess | undefined =>
  readView(sys, [disk]).processes.find((one) => one.pid === pid);

/** When the node began to run; a machine that is no node's has its own time. */
export const nodeBootedAt = (sys: Syscalls): number =>
  readView(sys).processes.find(({ pid }) => pid === 1)?.startedAt ?? sys.bootedAt;

/** The first process of a container, or of a sandbox, of the node. */
export const mainOfContainer = (sys: Syscalls, id: string): NodeProcess | undefined =>
  readView(sys).processes.find(({ container }) => container === id);

export const pidOfContainer = (sys: Syscalls, id: string): number | undefined => mainOfContainer(sys, id)?.pid;

/** The sockets that a program sees: those of its machine, and, beside a node's disk, those of the node. */
export function visibleSockets(sys: Syscalls): readonly SocketInfo[] {
  const { sockets = [] } = readView(sys);
  const others = sockets.map(({ address, port, pid, program }): SocketInfo => ({
    ...{ protocol: 'tcp', state: 'LISTEN', localAddress: address === '*' ? '::' : address, localPort: port },
    ...{ remoteAddress: address === '*' ? '::' : '0.0.0.0', remotePort: 0, pid, program: program.slice(0, 15) },
  }));
  return others.length === 0 ? sys.sockets() : [...others, ...sys.sockets()];
}
