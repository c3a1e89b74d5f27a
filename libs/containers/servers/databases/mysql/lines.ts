import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';

export const LATEST = '9.5.0';

export const versionOf = ({ env }: Pick<Syscalls, 'env'>): string => {
  const maria = env['MARIADB_VERSION'];
  if (maria !== undefined) return `${maria}-MariaDB`;
  return /\d+(?:\.\d+)*/.exec(env['MYSQL_VERSION'] ?? '')?.[0] ?? LATEST;
};

export const socketOf = ({ env }: Pick<Syscalls, 'env'>): string =>
  env['MARIADB_VERSION'] === undefined ? '/var/run/mysqld/mysqld.sock' : '/run/mysqld/mysqld.sock';

/** `2026-11-22T00:00:00.000000Z 0 [System] [MY-010931] [Server] …`. */
export const formatLine = ({ now }: Pick<Syscalls, 'now'>, level: string, code: string, text: string): string =>
  `${new Date(now).toISOString().slice(0, 23)}000Z 0 [${level}] ${code === '' ? text : `[${code}] [Server] ${text}`}\n`;
