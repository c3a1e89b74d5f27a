import { memoryOf } from '../cgroup/memory.js';
import type { Millis } from '../../machinery/time/time.js';
import type { Bytes } from '../bytes.js';
import type { ContainerExit, ContainerView } from '../container.js';
import type { Container } from '../container-state.js';
import { SystemError } from '../errno.js';
import { endProcess } from '../process/exit.js';
import { forgetRoots } from '../process/root.js';
import { codeOfSignal } from '../process/signal.js';
import { reap } from '../process/table.js';
import { release } from '../descriptors/table.js';
import { readLog, readLogText } from '../sessions/read-log.js';
import { holderOf } from '../sockets/holder.js';
import { isLoopback } from '../sockets/table.js';
import type { State } from '../state.js';
import { ownTreeIds } from './mounts.js';

/** Throws ENOENT. */
export function viewContainer(state: State, id: string): ContainerView {
  const container = state.containers.get(id);
  if (container === undefined) throw new SystemError('ENOENT');
  return new StateView(state, id, container);
}

/** What takes long to read is read when it is asked for. */
class StateView implements ContainerView {
  readonly exit: ContainerExit | undefined;
  readonly running: boolean;
  readonly droppedLines: number;
  readonly listening: ContainerView['listening'];

  constructor(
    private readonly state: State,
    id: string,
    private readonly container: Container,
  ) {
    this.exit = container.exit;
    this.running = container.exit === undefined;
    this.droppedLines = container.log.dropped;
    this.listening = portsOf(state, id);
  }

  get logs(): ContainerView['logs'] {
    return readLog(this.state, this.container.log);
  }

  get memory(): number {
    return memoryOf(this.state, this.container);
  }

  logsFrom(index: number, since?: Millis): ContainerView['logs'] {
    return readLog(this.state, this.container.log, index, since);
  }

  logText(until: Millis): Bytes | undefined {
    return readLogText(this.state, this.container.log, until);
  }
}

/** The ports that processes of a container listen at. */
function portsOf(state: State, id: string): ContainerView['listening'] {
  const ports = [];
  for (const socket of state.sockets.values()) {
    const { protocol, localPort: port, since, localAddress } = socket;
    if (socket.state !== 'listening' || protocol === 'unix' || protocol === 'packet') continue;
    if (holderOf(state, socket)?.container === id)
      ports.push({ port, protocol, since, ...(isLoopback(localAddress) ? { isLocal: true as const } : {}) });
  }
  return ports;
}

export function removeContainer(state: State, id: string): void {
  const container = state.containers.get(id);
  if (container === undefined) return;
  for (const process of [...state.processes.values()]) {
    if (process.container !== id) continue;
    endProcess(state, process, codeOfSignal('KILL'), 'KILL');
    reap(state, process);
  }
  const stdin = state.descriptions.get(container.stdin ?? -1);
  if (stdin !== undefined) release(state, stdin);
  for (const session of [...state.sessions.values()]) if (session.container === id) state.sessions.delete(session.id);
  for (const terminal of [...state.terminals.values()])
    if (terminal.container === id) state.terminals.delete(terminal.id);
  state.containers.delete(id);
  state.mounts.delete(id);
  forgetRoots(state, id);
  state.namespaces.delete(id);
  for (const tree of ownTreeIds(id)) if (tree !== 'shm') state.trees.delete(tree);
}
