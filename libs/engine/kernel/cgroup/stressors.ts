import type { Container } from '../container-state.js';
import type { Process } from '../process/process.js';
import type { State } from '../state.js';
import { STEPS_PER_MS } from './cpu.js';

/** Beyond the pids that programs of a container get. */
const FIRST_PID = 31_000;
const ONE = 1_000;
const MEMORY = 6 * 1024 * 1024;
const COMMAND = 'stress-ng';

/**
 * What a namespace's processes see of a stressor that something outside has put into a container: its processes, which
 * compute nothing, get no signals, and are in no table. Their use is their container's (cpuUseOf).
 */
export function stressorsOf(state: State, namespace: string): Process[] {
  const found: Process[] = [];
  for (const container of state.containers.values()) {
    if ((container.namespace ?? container.id) !== namespace || !container.trouble?.stress) continue;
    found.push(...stressorsIn(state, container, namespace, FIRST_PID + found.length));
  }
  return found;
}

function stressorsIn(state: State, container: Container, namespace: string, firstPid: number): Process[] {
  const { trouble, cpuLimit = Infinity, stressedAt = state.now } = container;
  const stress = trouble?.stress ?? 0;
  const workers = trouble?.workers ?? Math.ceil(stress / ONE);
  const usedMs = (Math.min(stress, cpuLimit) * Math.max(0, state.now - stressedAt)) / ONE / workers;
  const argv = [COMMAND, '--cpu', String(workers), '--cpu-load', String(Math.round(stress / workers / 10))];
  const make = (index: number): Process => ({
    ...{ id: -(firstPid + index), pid: firstPid + index, namespace, container: container.id, parent: 0 },
    ...{ group: firstPid, session: firstPid, status: index === 0 ? 'waiting' : 'ready', program: '', argv, env: {} },
    ...{ cwd: '/', name: index === 0 ? COMMAND : `${COMMAND}-cpu`, executable: `/usr/bin/${COMMAND}`, umask: 0o22 },
    ...{ user: 0, groupId: 0, groups: [], descriptors: {}, actions: {}, pending: [], caught: [] },
    ...{ startedAt: stressedAt, cpu: index === 0 ? 0 : Math.round(usedMs * STEPS_PER_MS), memory: MEMORY },
    ...{ held: 0, draws: 0 },
  });
  return Array.from({ length: workers + 1 }, (_, index) => make(index));
}
