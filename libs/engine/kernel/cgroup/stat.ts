import type { Container } from '../container-state.js';
import { countProcesses } from '../process/table.js';
import type { CgroupStat } from '../process/syscalls.js';
import type { State } from '../state.js';
import { memoryOf } from './memory.js';
import { cpuUseOf } from './stress.js';

/** The container's cgroup in numbers. */
export function cgroupStat(state: State, container: Container): CgroupStat {
  return {
    memoryLimit: container.memoryLimit,
    memoryUsed: memoryOf(state, container),
    cpuLimit: container.cpuLimit,
    cpuShares: container.cpuShares,
    cpuUsedMs: cpuUseOf(container, state.now).used,
    processLimit: container.processLimit,
    processes: countProcesses(state, container.id),
  };
}
