import type { ProcessInfo, Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { DAY, HOUR, MINUTE, SECOND } from '../../../engine/machinery/time/time.js';
import type { Bytes } from '../../../engine/kernel/bytes.js';
import { readSmallFile } from '../accounts.js';
import { formatDate } from '../coreutils/time/date-format.js';

const KIB = 1_024;

/** Its command line; what has none (a zombie) by its name. */
export function commandLine(process: ProcessInfo): Bytes {
  if (process.argv.length > 0) return process.argv.join(' ');
  return process.state === 'Z' ? `[${process.name}] <defunct>` : `[${process.name}]`;
}

/** procps' STAT: the state, `s` for the leader of a session, `+` for the foreground of its terminal. */
export const statusLetters = (process: ProcessInfo): string =>
  process.state + (process.session === process.pid ? 's' : '') + (process.isForeground ? '+' : '');

const two = (n: number): string => String(n).padStart(2, '0');

/** `00:00:00`, with days `1-00:00:00`. */
export function cpuTime(ms: number): string {
  const days = Math.floor(ms / DAY);
  return (days > 0 ? `${days}-` : '') + clockTime(ms % DAY);
}

const clockTime = (ms: number): string =>
  `${two(Math.floor(ms / HOUR))}:${two(Math.floor(ms / MINUTE) % 60)}:${two(Math.floor(ms / SECOND) % 60)}`;

/** `MM:SS` of BSD: minutes without end. */
export const bsdTime = (ms: number): string => `${Math.floor(ms / MINUTE)}:${two(Math.floor(ms / SECOND) % 60)}`;

/** `[[DD-]hh:]mm:ss`. */
export function elapsedTime(ms: number): string {
  const clock = clockTime(ms % DAY);
  const days = Math.floor(ms / DAY);
  if (days > 0) return `${days}-${clock}`;
  return ms >= HOUR ? clock : clock.slice(3);
}

/** `10:01`, another day `Nov21`, another year `2025`. */
export function startTime(process: ProcessInfo, now: number): string {
  if (formatDate('%Y', process.startedAt) !== formatDate('%Y', now)) return formatDate('%Y', process.startedAt);
  const isToday = formatDate('%j', process.startedAt) === formatDate('%j', now);
  return formatDate(isToday ? '%H:%M' : '%b%d', process.startedAt);
}

/** Percent of a CPU since its start. */
export function cpuShare(process: ProcessInfo, now: number): number {
  const seconds = Math.floor((now - process.startedAt) / SECOND);
  return seconds === 0 ? 0 : Math.min(99.9, process.cpu / 10 / seconds);
}

/** A field of /proc/meminfo in KiB. */
export function memoryField(sys: Syscalls, name: string): number {
  const found = new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readSmallFile(sys, '/proc/meminfo'));
  return Number(found?.[1] ?? 0);
}

export const memoryShare = (sys: Syscalls, process: ProcessInfo): number =>
  (process.memory / KIB / Math.max(1, memoryField(sys, 'MemTotal'))) * 100;

export const residentKiB = (process: ProcessInfo): number => Math.ceil(process.memory / KIB);

/** Text, libraries and stack count too. */
export const virtualKiB = (process: ProcessInfo): number => residentKiB(process) + 1_652;

export const ownProcess = (sys: Syscalls): ProcessInfo | undefined =>
  sys.processes().find((process) => process.pid === sys.pid);

/** The three numbers of /proc/loadavg. */
export const loadAverages = (sys: Syscalls): string[] => readSmallFile(sys, '/proc/loadavg').split(' ').slice(0, 3);
