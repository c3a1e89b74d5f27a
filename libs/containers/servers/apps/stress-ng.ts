import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { Program } from '../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { readSmallFile } from '../../tools/accounts.js';
import { makeProgram, type Plan } from './stress.js';

const CPU_OF_A_WORKER = 1_000;
const DEFAULT_VM_BYTES = 256 * 2 ** 20;
const DAY_SECONDS = 86_400;
const VERSION = 'stress-ng, version 0.14.00 (gcc 11.2.1, x86_64 Linux)\n';

const SHORT: Readonly<Record<string, string>> = {
  ...{ c: 'cpu', l: 'cpu-load', m: 'vm', t: 'timeout', i: 'io', d: 'hdd', q: 'quiet', v: 'verbose', V: 'version' },
};
const FLAGS = ['quiet', 'verbose', 'version', 'vm-keep', 'metrics', 'metrics-brief', 'aggressive', 'verify', 'times'];
const VALUES = ['cpu', 'cpu-load', 'cpu-method', 'vm', 'vm-bytes', 'vm-hang', 'vm-method', 'timeout', 'io'];

const TIMES: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: DAY_SECONDS, y: 365 * DAY_SECONDS };
const SIZES: Readonly<Record<string, number>> = { b: 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 };

const unknown = (word: string): string =>
  `stress-ng: unrecognized option '${word}'\nTry 'stress-ng --help' for more information.\n`;

/** Colin King's stress-ng 0.14. Left out: stressors but cpu, vm and io, and workers as processes of their own. */
const stressNg = makeProgram((argv, sys) => {
  const given = readOptions(argv.slice(1));
  if (typeof given === 'string') return given;
  if (given['version'] !== undefined) return VERSION;
  const workers = ['cpu', 'vm', 'io'].map((name) => countOf(given[name], sys));
  const wrong = ['cpu', 'vm', 'io'].find((_, i) => workers[i] === undefined);
  const [cpu = 0, vm = 0, io = 0] = workers;
  if (wrong !== undefined) return `stress-ng: invalid number ${given[wrong] ?? ''}\n`;
  if (cpu + vm + io === 0) return 'stress-ng: error: no stress workers specified\n';
  const seconds = scaled(given['timeout'] ?? `${DAY_SECONDS}`, TIMES);
  const memory = vm === 0 ? 0 : bytesOfVm(given['vm-bytes'], sys);
  const load = Number(given['cpu-load'] ?? 100);
  if (seconds === undefined || memory === undefined || !(load >= 0 && load <= 100))
    return `stress-ng: invalid number in the command line\n`;
  return plan({ cpu, vm, io, memory, load, seconds, isQuiet: given['quiet'] !== undefined }, sys);
});

interface Load {
  readonly cpu: number;
  readonly vm: number;
  readonly io: number;
  readonly memory: number;
  readonly load: number;
  readonly seconds: number;
  readonly isQuiet: boolean;
}

function plan({ cpu, vm, io, memory, load, seconds, isQuiet }: Load, { pid, now }: Syscalls): Plan {
  const hogs = Object.entries({ cpu, io, vm }).filter(([, count]) => count > 0);
  const said = (text: string): string[] => (isQuiet ? [] : [`stress-ng: info:  [${pid}] ${text}`]);
  return {
    cpu: (cpu * load * CPU_OF_A_WORKER) / 100 + (vm + io) * CPU_OF_A_WORKER,
    ...{ memory, step: 0, pause: 0, until: seconds === 0 ? null : now + seconds * 1_000, descriptor: 2 },
    lines: [
      ...said(`setting to a ${seconds} second run per stressor`),
      ...said(`dispatching hogs: ${hogs.map(([name, count]) => `${count} ${name}`).join(', ')}`),
    ],
    end: said(`successful run completed in ${seconds}.00s`),
  };
}

function readOptions(words: readonly Bytes[]): Readonly<Record<string, string>> | string {
  const given: Record<string, string> = {};
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    const [name = '', attached] = word.startsWith('--') ? word.slice(2).split('=', 2) : [SHORT[word.slice(1)] ?? ''];
    if (!word.startsWith('-') || !(FLAGS.includes(name) || VALUES.includes(name))) return unknown(word);
    const value = FLAGS.includes(name) ? '1' : (attached ?? words[++i]);
    if (value === undefined) return `stress-ng: option '${word}' requires an argument\n`;
    given[name] = value;
  }
  return given;
}

/** 0 and less: one for each processor. */
function countOf(text: string | undefined, { cpus }: Syscalls): number | undefined {
  if (text === undefined) return 0;
  if (!/^-?\d{1,6}$/.test(text)) return undefined;
  return Number(text) > 0 ? Number(text) : Math.max(1, Math.floor(cpus));
}

function scaled(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const [, number, unit = ''] = /^(\d{1,15}(?:\.\d+)?)([A-Za-z]?)$/.exec(text) ?? [];
  const factor = unit === '' ? 1 : units[unit.toLowerCase()];
  return number === undefined || factor === undefined ? undefined : Number(number) * factor;
}

/** Of all workers together; a share is one of the memory that is available. */
function bytesOfVm(text: string | undefined, sys: Syscalls): number | undefined {
  if (text === undefined) return DEFAULT_VM_BYTES;
  if (!text.endsWith('%')) return scaled(text, SIZES);
  const percent = scaled(text.slice(0, -1), {});
  const available = /^MemAvailable:\s+(\d+) kB/m.exec(readSmallFile(sys, '/proc/meminfo'))?.[1] ?? '0';
  return percent === undefined ? undefined : Math.floor((Number(available) * 1_024 * percent) / 100);
}

export const programs: Readonly<Record<string, Program>> = { 'apps:stress-ng': stressNg };
