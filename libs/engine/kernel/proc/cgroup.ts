import type { Bytes } from '../bytes.js';
import { shownMemory } from '../cgroup/memory.js';
import { cpuUseOf, type CpuUse } from '../cgroup/stress.js';
import type { Container } from '../container-state.js';
import { ComputedTree, type Entry } from '../files/computed.js';
import { countProcesses } from '../process/table.js';
import type { State } from '../state.js';
import { cpuList } from './system.js';

const PERIOD_US = 100_000;
const PAGE = 4_096;

/** /sys/fs/cgroup: the container's own cgroup, version 2. */
const FILES: Readonly<Record<string, (state: State, container: Container) => Bytes>> = {
  'cgroup.controllers': () => 'cpuset cpu io memory hugetlb pids rdma misc',
  'cgroup.events': () => 'populated 1\nfrozen 0',
  'cgroup.procs': (state, container) => processesOf(state, container),
  'cgroup.type': () => 'domain',
  'cpu.max': (_, { cpuLimit }) => `${cpuLimit === undefined ? 'max' : cpuLimit * 100} ${PERIOD_US}`,
  'cpu.stat': ({ now }, container) => cpuLines(cpuUseOf(container, now)),
  'cpu.weight': (_, { cpuShares }) => String(weightOf(cpuShares)),
  'cpuset.cpus.effective': (state) => cpuList(state),
  'memory.current': (state, container) => String(shownMemory(state, container)),
  'memory.events': (_, { oomKills }) => `low 0\nhigh 0\nmax ${oomKills}\noom ${oomKills}\noom_kill ${oomKills}`,
  'memory.high': () => 'max',
  'memory.low': () => '0',
  'memory.max': (_, { memoryLimit }) =>
    memoryLimit === undefined ? 'max' : String(Math.floor(memoryLimit / PAGE) * PAGE),
  'memory.min': () => '0',
  'memory.oom.group': () => '1',
  'memory.peak': (state, container) => String(Math.max(container.memoryPeak, shownMemory(state, container))),
  'memory.stat': (state, container) => `anon ${shownMemory(state, container)}\nfile 0\nkernel 0\nshmem 0`,
  'memory.swap.current': () => '0',
  'memory.swap.max': () => '0',
  'pids.current': (state, container) => String(countProcesses(state, container.id)),
  'pids.max': (_, { processLimit }) => (Number.isFinite(processLimit) ? String(processLimit) : 'max'),
};

/** The names of a container's files. */
export const CGROUP_FILES: readonly string[] = Object.keys(FILES);

/** A file of a container's cgroup; undefined: there is none of this name, or no such container. */
export function readCgroupFile(state: State, id: string, name: string): Bytes | undefined {
  const content = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
  const container = state.containers.get(id);
  return content && container ? `${content(state, container)}\n`.replace(/^\n$/, '') : undefined;
}

/** cpu.weight of cpu.shares. Models ConvertCPUSharesToCgroupV2Value of opencontainers/cgroups. */
export function weightOf(shares: number): number {
  if (shares <= 2) return 1;
  if (shares >= 262_144) return 10_000;
  const log = Math.log2(shares);
  return Math.ceil(10 ** ((log * log + 125 * log) / 612 - 7 / 34));
}

const microseconds = (ms: number): number => Math.round(ms * 1_000);

function cpuLines(cpu: CpuUse): Bytes {
  return [
    `usage_usec ${microseconds(cpu.used)}`,
    `user_usec ${microseconds(cpu.used)}`,
    'system_usec 0',
    `nr_periods ${cpu.periods}`,
    `nr_throttled ${cpu.throttledPeriods}`,
    `throttled_usec ${microseconds(cpu.throttledMs)}`,
  ].join('\n');
}

function processesOf(state: State, container: Container): Bytes {
  const own = [...state.processes.values()].filter((process) => process.container === container.id);
  return own.map((process) => process.pid).join('\n');
}

export function makeCgroupTree(state: State, id: string): ComputedTree {
  const entry = (path: Bytes): Entry | undefined => {
    if (path === '/') return { type: 'directory', names: Object.keys(FILES) };
    const name = path.slice(1);
    if (!Object.hasOwn(FILES, name) || !state.containers.has(id)) return undefined;
    return { type: 'file', content: () => readCgroupFile(state, id, name) ?? '' };
  };
  return new ComputedTree(`cgroup:${id}`, state.bootedAt, entry);
}
