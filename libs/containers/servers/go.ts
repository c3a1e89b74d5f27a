import type { Bytes } from '../../engine/kernel/bytes.js';
import type { FileStat } from '../../engine/kernel/files/file.js';
import { SystemError } from '../../engine/kernel/errno.js';
import type { Millis } from '../../engine/machinery/time/time.js';

/** How programs in Go print values: the formats of fmt, time, os and klog. */

const ESCAPES: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r' };

/** %q of bytes in UTF-8. */
export const quote = (text: Bytes): Bytes =>
  `"${text.replace(/["\\\0-\x1f\x7f]/g, (char) => ESCAPES[char] ?? `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`)}"`;

/** json.Marshal: keys of objects stand in the order of bytes, and characters of HTML are escaped. */
export const marshal = (value: unknown, indent?: string): string =>
  JSON.stringify(sortKeys(value), null, indent).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]));
}

/** syscall.Errno's words are strerror's in lower case. Anything but a SystemError is thrown on. */
export function errnoText(error: unknown): string {
  if (error instanceof SystemError) return error.message.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
  throw error;
}

const UNITS: Readonly<Record<string, number>> = {
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
  ms: 1,
  us: 1e-3,
  µs: 1e-3,
  ns: 1e-6,
};

const MAX_DURATION = 100;

/** time.ParseDuration, in ms; undefined for what is none. */
export function parseDuration(text: string): Millis | undefined {
  if (text === '0') return 0;
  if (text.length > MAX_DURATION || !/^[-+]?(?:\d+(?:\.\d*)?(?:ns|us|µs|ms|s|m|h))+$/.test(text)) return undefined;
  let [total, number] = [0, 0];
  for (const part of text.match(/[\d.]+|[a-zµ]+/g) ?? []) {
    const unit = UNITS[part];
    if (unit === undefined) number = Number(part);
    else total += number * unit;
  }
  return text.startsWith('-') ? -total : total;
}

/** Duration.String of whole ms: '1m30s', '1.5s', '20ms', '0s', '-1.5s'. */
export function formatDuration(ms: Millis): string {
  if (ms === 0) return '0s';
  if (ms < 0) return `-${formatDuration(-ms)}`;
  if (ms < 1_000) return `${ms}ms`;
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor(ms / 60_000) % 60;
  const seconds = `${(ms % 60_000) / 1_000}s`;
  return hours > 0 ? `${hours}h${minutes}m${seconds}` : minutes > 0 ? `${minutes}m${seconds}` : seconds;
}

/** Time.String in UTC. */
export function formatTime(at: Millis): string {
  const fraction = String((at % 1_000) / 1_000).slice(2);
  const text = new Date(at).toISOString().slice(0, 19).replace('T', ' ');
  return `${text}${fraction === '' ? '' : `.${fraction}`} +0000 UTC`;
}

/** The head of klog's lines: `I1122 12:00:00.000000       1 log.go:245] `. */
export function klogHead(level: 'I' | 'W' | 'E' | 'F', at: Millis, pid: number, source: string): string {
  const iso = new Date(at).toISOString();
  return `${level}${iso.slice(5, 7)}${iso.slice(8, 10)} ${iso.slice(11, 23)}000 ${String(pid).padStart(7)} ${source}] `;
}

const SPECIAL = [
  ['d', (stat: FileStat) => stat.type === 'directory'],
  ['D', (stat: FileStat) => stat.type === 'char' || stat.type === 'block'],
  ['p', (stat: FileStat) => stat.type === 'fifo'],
  ['S', (stat: FileStat) => stat.type === 'socket'],
  ['u', (stat: FileStat) => (stat.mode & 0o4000) !== 0],
  ['g', (stat: FileStat) => (stat.mode & 0o2000) !== 0],
  ['c', (stat: FileStat) => stat.type === 'char'],
  ['t', (stat: FileStat) => (stat.mode & 0o1000) !== 0],
] as const;

/** FileMode.String: 'drwxr-xr-x', 'dtrwxrwxrwx'. */
export function formatMode(stat: FileStat): string {
  const special = SPECIAL.filter(([, applies]) => applies(stat)).map(([letter]) => letter);
  return `${special.length === 0 ? '-' : special.join('')}${permissions(stat.mode)}`;
}

/** FileMode.Perm().String: '-rwxr-xr-x'. */
export const formatPermissions = ({ mode }: FileStat): string => `-${permissions(mode)}`;

const permissions = (mode: number): string =>
  [...'rwxrwxrwx'].map((letter, i) => ((mode & (0o400 >> i)) !== 0 ? letter : '-')).join('');
