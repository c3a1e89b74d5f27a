import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { DAY, HOUR, MINUTE } from '../../../engine/machinery/time/time.js';
import { formatDate } from '../coreutils/time/date-format.js';
import { parseOptions } from '../framework/options.js';
import { defineTool, isAlpine } from '../framework/tool.js';
import { nodeBootedAt } from './node-processes.js';
import { loadAverages, memoryField } from './table.js';

const FREE_OPTIONS = [
  ...['b,bytes', 'k,kibi', 'm,mebi', 'g,gibi', 'kilo', 'mega', 'giga', 'h,human', 'si', 'w,wide', 't,total', 'l,lohi'],
  ...['s,seconds:', 'c,count:', 'v,committed'],
];

export interface MemorySizes {
  readonly total: number;
  readonly used: number;
  readonly free: number;
  readonly shared: number;
  readonly cached: number;
  readonly available: number;
}

/** The node's memory in KiB, as a container sees it too. */
export function readMemory(sys: Syscalls): MemorySizes {
  const total = memoryField(sys, 'MemTotal');
  const free = memoryField(sys, 'MemFree');
  const cached = memoryField(sys, 'Buffers') + memoryField(sys, 'Cached') + memoryField(sys, 'SReclaimable');
  const available = memoryField(sys, 'MemAvailable');
  return { total, used: total - available, free, shared: memoryField(sys, 'Shmem'), cached, available };
}

const UNITS: readonly (readonly [key: string, bytes: number])[] = [
  ['b', 1],
  ['k', 1_024],
  ['m', 1_048_576],
  ['g', 1_073_741_824],
  ['kilo', 1_000],
  ['mega', 1_000_000],
  ['giga', 1_000_000_000],
];

/** 7.7Gi, 512Mi, 0B, as `free -h` rounds. */
function humanKiB(kib: number): string {
  let [value, unit] = [kib * 1_024, 0];
  while (value >= 1_024 && unit < 5) [value, unit] = [value / 1_024, unit + 1];
  const text = unit === 0 || value >= 9.95 ? String(Math.floor(value)) : value.toFixed(1);
  return text + ['B', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi'][unit]!;
}

export const free = defineTool(
  (tool) => {
    const table = tool.flavour === 'gnu' ? FREE_OPTIONS : ['b', 'k', 'm', 'g', 'h', 't'];
    const options = parseOptions(tool, table);
    const unit = UNITS.find(([key]) => options.has(key))?.[1] ?? 1_024;
    const show = (kib: number): string => (options.has('h') ? humanKiB(kib) : String(Math.floor((kib * 1_024) / unit)));
    const cells = (values: readonly (string | number)[]): Bytes =>
      values.map((value) => (typeof value === 'number' ? show(value) : value).padStart(12)).join('');
    const label = (text: string): string => text.padEnd(tool.flavour === 'gnu' ? 8 : 7);
    const memory = readMemory(tool.sys);
    const swap = memoryField(tool.sys, 'SwapTotal');
    tool.out(`${label('')}${cells(['total', 'used', 'free', 'shared', 'buff/cache', 'available'])}\n`);
    const { total, used, free: unused, shared, cached, available } = memory;
    tool.out(`${label('Mem:')}${cells([total, used, unused, shared, cached, available])}\n`);
    tool.out(`${label('Swap:')}${cells([swap, 0, memoryField(tool.sys, 'SwapFree')])}\n`);
    if (options.has('t')) tool.out(`${label('Total:')}${cells([total + swap, used, unused + swap])}\n`);
    return 0;
  },
  { usage: '[options]', version: 'free from procps-ng 4.0.2' },
);

/** How long the node runs; of a machine that sees none, that one: /proc/uptime. */
const uptimeOf = (sys: Syscalls): number => sys.now - nodeBootedAt(sys);

function upText(ms: number): string {
  const days = Math.floor(ms / DAY);
  const hours = Math.floor(ms / HOUR) % 24;
  const minutes = Math.floor(ms / MINUTE) % 60;
  const clock = hours > 0 ? `${String(hours).padStart(2)}:${String(minutes).padStart(2, '0')}` : `${minutes} min`;
  return `${days > 0 ? `${days} day${days === 1 ? '' : 's'}, ` : ''}${clock}`;
}

function prettyTime(ms: number): string {
  const parts = [
    [Math.floor(ms / (7 * DAY)), 'week'],
    [Math.floor(ms / DAY) % 7, 'day'],
    [Math.floor(ms / HOUR) % 24, 'hour'],
    [Math.floor(ms / MINUTE) % 60, 'minute'],
  ] as const;
  const shown = parts.filter(([count]) => count > 0);
  return shown.map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`).join(', ') || '0 minutes';
}

/** ` 12:00:00 up 2 min,  0 users,  load average: 0.00, 0.00, 0.00`; Alpine's busybox counts no users. */
export function uptimeLine(sys: Syscalls, countsUsers: boolean): Bytes {
  const users = countsUsers ? '  0 users,' : '';
  const load = loadAverages(sys).join(', ');
  return ` ${formatDate('%H:%M:%S', sys.now)} up ${upText(uptimeOf(sys))},${users}  load average: ${load}\n`;
}

export const uptime = defineTool(
  (tool) => {
    const { sys, flavour } = tool;
    const options = parseOptions(tool, flavour === 'gnu' ? ['p,pretty', 's,since', 'h,help', 'V'] : ['s']);
    if (options.has('p')) tool.out(`up ${prettyTime(uptimeOf(sys))}\n`);
    else if (options.has('s')) tool.out(`${formatDate('%Y-%m-%d %H:%M:%S', sys.now - uptimeOf(sys))}\n`);
    else tool.out(uptimeLine(sys, flavour === 'gnu' || !isAlpine(sys)));
    return 0;
  },
  { usage: '[options]', version: 'uptime from procps-ng 4.0.2' },
);

/** Nobody logs into a container: only the heads are printed. */
export const w = defineTool(
  (tool) => {
    const options = parseOptions(tool, [
      'h,no-header',
      's,short',
      'f,from',
      'i,ip-addr',
      'o,old-style',
      'u,no-current',
    ]);
    if (options.has('h')) return 0;
    tool.out(uptimeLine(tool.sys, true).replace(/^ /, ' '));
    tool.out(
      tool.flavour === 'gnu'
        ? `USER     TTY      FROM             LOGIN@   IDLE   JCPU   PCPU WHAT\n`
        : 'USER\t\tTTY\t\tIDLE\tTIME\t\t HOST\n',
    );
    return 0;
  },
  { usage: '[options]', version: 'w from procps-ng 4.0.2' },
);
