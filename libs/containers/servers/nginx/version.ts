import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';

const LATEST = '1.29.4';

export const versionOf = (sys: Syscalls): string => sys.env['NGINX_VERSION'] ?? LATEST;

/** When this process began: its entrypoint has become it. */
export const startOf = (sys: Syscalls): number =>
  sys.processes().find(({ pid }) => pid === sys.pid)?.startedAt ?? sys.now;

/** A time in the error log. */
export const slashed = (at: number): string =>
  new Date(at).toISOString().slice(0, 19).replaceAll('-', '/').replace('T', ' ');
