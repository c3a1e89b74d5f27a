/** What nginx' image writes when it starts: the summary in the catalogue and the program say the same. */

const ENTRYPOINT = [
  '/docker-entrypoint.sh: /docker-entrypoint.d/ is not empty, will attempt to perform configuration',
  '/docker-entrypoint.sh: Looking for shell scripts in /docker-entrypoint.d/',
  '/docker-entrypoint.sh: Launching /docker-entrypoint.d/10-listen-on-ipv6-by-default.sh',
  '10-listen-on-ipv6-by-default.sh: info: Getting the checksum of /etc/nginx/conf.d/default.conf',
  '10-listen-on-ipv6-by-default.sh: info: Enabled listen on IPv6 in /etc/nginx/conf.d/default.conf',
  '/docker-entrypoint.sh: Sourcing /docker-entrypoint.d/15-local-resolvers.envsh',
  '/docker-entrypoint.sh: Launching /docker-entrypoint.d/20-envsubst-on-templates.sh',
  '/docker-entrypoint.sh: Launching /docker-entrypoint.d/30-tune-worker-processes.sh',
  '/docker-entrypoint.sh: Configuration complete; ready for start up',
];
/** Processes that the entrypoint's scripts have started and ended before nginx starts its first worker. */
export const ENTRYPOINT_PROCESSES = 27;
/** `worker_processes auto`: one for each CPU. */
export const AUTO_WORKERS = 2;

/** ms from the process' start until it listens. */
export const READY_MS = 60;

export interface StartLines {
  readonly entrypoint: readonly string[];
  readonly master: readonly string[];
}

/** `hasEntrypoint`: the image's entrypoint has started it. `pid`: the master's. */
export function startLines(
  at: number,
  version: string,
  hasEntrypoint: boolean,
  pid = 1,
  workers = AUTO_WORKERS,
): StartLines {
  const time = new Date(at).toISOString().slice(0, 19).replaceAll('-', '/').replace('T', ' ');
  const notice = (text: string): string => `${time} [notice] ${pid}#${pid}: ${text}`;
  const first = pid + 1 + (hasEntrypoint ? ENTRYPOINT_PROCESSES : 0);
  return {
    entrypoint: hasEntrypoint ? ENTRYPOINT : [],
    master: [
      notice('using the "epoll" event method'),
      notice(`nginx/${version}`),
      notice('built by gcc 14.2.0 (Debian 14.2.0-19)'),
      notice('OS: Linux 6.12.57+deb13-amd64'),
      notice('getrlimit(RLIMIT_NOFILE): 1048576:1048576'),
      notice('start worker processes'),
      ...Array.from({ length: workers }, (_, index) => notice(`start worker process ${first + index}`)),
    ],
  };
}

/** When a line of so many is written, in ms since the start; the line behind the last one: when it listens. */
export const lineTime = (index: number, count: number): number => Math.round((READY_MS * index) / Math.max(1, count));
