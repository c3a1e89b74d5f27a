import { SECOND } from '../../machinery/time/time.js';
import type { Bytes } from '../bytes.js';
import { residentOf } from '../cgroup/memory.js';
import type { SharedResource, State } from '../state.js';

/** Processors of which anything is told. */
const MAX_CPUS = 256;
const TICKS_PER_SECOND = 100;

/** The files that stand in /proc itself, by name. */
export const SYSTEM_FILES: Readonly<Record<string, (state: State, container: string) => Bytes>> = {
  uptime: (state) => {
    const seconds = (state.now - state.bootedAt) / SECOND;
    return `${seconds.toFixed(2)} ${(seconds * cpusOf(state)).toFixed(2)}\n`;
  },
  loadavg: (state) => {
    const load = (state.ready.length + (state.current === undefined ? 0 : 1) - 1).toFixed(2);
    const others = takenOf(state, 'pids', MAX_PROCESSES);
    return `${load} ${load} ${load} 1/${state.processes.size + others} ${state.counters.process - 1 + others}\n`;
  },
  meminfo: (state) => memoryLines(state),
  cpuinfo: (state) => {
    const count = cpusOf(state);
    return Array.from({ length: count }, (_, index) => processorLines(index, count)).join('\n');
  },
  stat: (state) => statLines(state),
  cmdline: () => 'BOOT_IMAGE=/boot/vmlinuz-6.12.57+deb13-amd64 root=/dev/vda1 ro console=ttyS0\n',
  filesystems: () =>
    ['proc', 'cgroup2', 'tmpfs', 'devpts', 'sysfs', 'overlay'].map((one) => `nodev\t${one}\n`).join('') + '\text4\n',
  partitions: () => 'major minor  #blocks  name\n\n 254        0  104857600 vda\n 254        1  104856576 vda1\n',
  swaps: () => 'Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n',
};

/** kernel.pid_max of a machine with 64 bits. */
const MAX_PROCESSES = 4_194_304;

/** How much of what the computer has something beside the machine takes now. */
export const takenOf = (state: State, resource: SharedResource, capacity: number): number =>
  Math.floor(capacity * (state.hardware().taken?.(resource, state.now) ?? 0));

/** How many processors the computer has. */
export const cpusOf = (state: State): number => Math.min(MAX_CPUS, Math.max(1, Math.floor(state.hardware().cpus)));
/** '0-3', as Linux lists them. */
export const cpuList = (state: State): string => (cpusOf(state) === 1 ? '0' : `0-${cpusOf(state) - 1}`);

function memoryLines(state: State): Bytes {
  const total = Math.floor(state.hardware().memory / 1024);
  // What the system itself needs: of a small computer a part.
  let used = Math.min(1024 * 1024, Math.floor(total / 8));
  for (const process of state.processes.values()) used += Math.ceil(residentOf(process) / 1024);
  used = Math.max(used, takenOf(state, 'memory', total));
  // A cache gives way to what programs use.
  const cached = Math.min(512 * 1024, Math.floor(total / 16), Math.max(0, total - used));
  const free = Math.max(0, total - used - cached);
  const values: readonly (readonly [string, number])[] = [
    ['MemTotal', total],
    ['MemFree', free],
    ['MemAvailable', free + cached],
    ['Buffers', Math.min(16 * 1024, cached)],
    ['Cached', cached],
    ['SwapCached', 0],
    ['Active', used],
    ['Inactive', cached],
    ['SwapTotal', 0],
    ['SwapFree', 0],
    ['Dirty', 0],
    ['Writeback', 0],
    ['AnonPages', used],
    ['Mapped', 64 * 1024],
    ['Shmem', 1024],
    ['Slab', 64 * 1024],
    ['SReclaimable', 32 * 1024],
    ['HugePages_Total', 0],
    ['Hugepagesize', 2048],
  ];
  const line = ([name, value]: readonly [string, number]): string => {
    const unit = name === 'HugePages_Total' ? '' : ' kB';
    return `${`${name}:`.padEnd(16)}${String(value).padStart(8)}${unit}\n`;
  };
  return values.map(line).join('');
}

const processorLines = (index: number, count: number): Bytes =>
  [
    `processor\t: ${index}`,
    'vendor_id\t: GenuineIntel',
    'cpu family\t: 6',
    'model\t\t: 106',
    'model name\t: Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz',
    'stepping\t: 6',
    'cpu MHz\t\t: 2793.438',
    'cache size\t: 49152 KB',
    'physical id\t: 0',
    `siblings\t: ${count}`,
    `core id\t\t: ${index}`,
    `cpu cores\t: ${count}`,
    'flags\t\t: fpu vme de pse tsc msr pae mce cx8 apic sep mtrr pge mca cmov pat sse sse2 ht syscall nx lm aes avx avx2',
    'bogomips\t: 5586.87',
    '',
  ].join('\n');

function statLines(state: State): Bytes {
  const count = cpusOf(state);
  let busy = 0;
  for (const container of state.containers.values()) busy += (container.cpu.used * TICKS_PER_SECOND) / SECOND;
  const total = ((state.now - state.bootedAt) * TICKS_PER_SECOND) / SECOND;
  const line = (name: string, cpus: number): string => {
    const user = Math.floor((busy * cpus) / count);
    return `${name} ${user} 0 0 ${Math.max(0, Math.floor(total * cpus) - user)} 0 0 0 0 0 0\n`;
  };
  return (
    line('cpu ', count) +
    Array.from({ length: count }, (_, index) => line(`cpu${index}`, 1)).join('') +
    `ctxt ${state.counters.process * 100}\nbtime ${Math.floor(state.bootedAt / SECOND)}\n` +
    `processes ${state.counters.process - 1}\nprocs_running 1\nprocs_blocked 0\n`
  );
}
