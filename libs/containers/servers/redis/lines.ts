/** What a redis server writes: the summary in the catalogue and the program say the same. */

export const LATEST = '8.4.0';
/** ms from the process' start until it listens. */
export const READY_MS = 40;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `1:M 22 Nov 2026 00:00:00.000 * text`; role C before it is a server, M of a master, S of a replica. */
export function formatLine(role: 'C' | 'M' | 'S', at: number, level: '*' | '#', text: string): string {
  const iso = new Date(at).toISOString();
  const month = MONTHS[Number(iso.slice(5, 7)) - 1];
  return `1:${role} ${iso.slice(8, 10)} ${month} ${iso.slice(0, 4)} ${iso.slice(11, 23)} ${level} ${text}`;
}

export const NO_FILE =
  'Warning: no config file specified, using the default config. In order to specify a config file use redis-server /path/to/redis.conf';

export function startLines(
  at: number,
  version: string,
  port: number | string,
  hasSettings: boolean,
  role: 'M' | 'S' = 'M',
): string[] {
  return [
    formatLine(
      'C',
      at,
      '#',
      'WARNING Memory overcommit must be enabled! Without it, a background save or replication may fail under low memory condition.',
    ),
    formatLine('C', at, '*', 'oO0OoO0OoO0Oo Redis is starting oO0OoO0OoO0Oo'),
    formatLine('C', at, '*', `Redis version=${version}, bits=64, commit=00000000, modified=0, pid=1, just started`),
    hasSettings ? formatLine('C', at, '*', 'Configuration loaded') : formatLine('C', at, '#', NO_FILE),
    formatLine(role, at, '*', 'monotonic clock: POSIX clock_gettime'),
    formatLine(role, at, '*', `Running mode=standalone, port=${port}.`),
    formatLine(role, at, '*', 'Server initialized'),
    formatLine(role, at, '*', 'Ready to accept connections tcp'),
  ];
}
