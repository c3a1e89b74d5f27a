import type { Container } from '../container-state.js';
import { FileTree } from '../files/tree.js';
import type { Process } from '../process/process.js';
import { sendSignal } from '../process/signal.js';
import type { State } from '../state.js';

/** A process of the simulation may hold less than its node would let it: what it holds is held here too. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;

/** What ps calls RSS. */
export const residentOf = (process: Process): number => Math.max(process.memory, process.held);

/** Bytes of a container's processes and of what it has in memory-backed file systems. */
export function memoryOf(state: State, container: Container): number {
  return sumOf(state, container).used;
}

/** In one go: a fork bomb asks at each process. */
function sumOf(state: State, container: Container): { readonly used: number; readonly held: number } {
  let bytes = 0;
  let allHeld = 0;
  for (const process of state.processes.values()) {
    if (process.container !== container.id) continue;
    const { memory, held } = process;
    bytes += held > memory ? held : memory;
    allHeld += held;
  }
  for (const mount of state.mounts.get(container.id)?.values() ?? []) {
    if (mount.type === 'tmpfs' && mount.files instanceof FileTree) bytes += mount.files.usedBytes();
  }
  return { used: bytes, held: allHeld };
}

/** Over its limit all of a container is killed, as memory.oom.group does it. */
export function enforceMemory(state: State, container: Container): void {
  const { used, held } = sumOf(state, container);
  container.memoryPeak = Math.max(container.memoryPeak, used);
  const isOver = container.memoryLimit !== undefined && used > container.memoryLimit;
  if (isOver || held > MAX_HELD_BYTES) killForMemory(state, container);
}

/** Kills all processes of a container. */
export function killForMemory(state: State, container: Container): void {
  if (container.isOutOfMemory) return;
  container.isOutOfMemory = true;
  container.oomKills++;
  for (const process of state.processes.values()) {
    if (process.container === container.id) sendSignal(state, process, 'KILL', true);
  }
}

/** Without a limit a leak ends at a quarter of a GiB. */
const UNLIMITED_LEAK = 2 ** 28;

/** What the cgroup's files tell: with what its main process has lost, which nothing of the simulation holds. */
export const shownMemory = (state: State, container: Container): number =>
  Math.max(memoryOf(state, container), leakedMemory(state, container));

/** Bytes that a leak has taken by now, in whole pages. */
export function leakedMemory(state: State, { main, memoryLimit = UNLIMITED_LEAK, trouble }: Container): number {
  const process = state.processes.get(main);
  if (!trouble?.leak || !process) return 0;
  const { from, afterMs } = trouble.leak;
  const since = state.now - Math.max(process.startedAt, from);
  const share = Math.min(1, Math.max(0, since) / Math.max(1, afterMs));
  return Math.floor((share * memoryLimit) / PAGE) * PAGE;
}

const PAGE = 4_096;
