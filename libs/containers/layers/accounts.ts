import type { ImageFiles } from '../../engine/kernel/files/file.js';
import { file } from './layer.js';

/** A line of /etc/passwd: name, user id, group id, comment, home, shell. */
export type Account = readonly [
  name: string,
  user: number,
  group: number,
  comment: string,
  home: string,
  shell: string,
];

const NOLOGIN = '/usr/sbin/nologin';

/** Debian's own, by base-passwd. */
export const DEBIAN_ACCOUNTS: readonly Account[] = [
  ['root', 0, 0, 'root', '/root', '/bin/bash'],
  ['daemon', 1, 1, 'daemon', '/usr/sbin', NOLOGIN],
  ['bin', 2, 2, 'bin', '/bin', NOLOGIN],
  ['sys', 3, 3, 'sys', '/dev', NOLOGIN],
  ['sync', 4, 65_534, 'sync', '/bin', '/bin/sync'],
  ['games', 5, 60, 'games', '/usr/games', NOLOGIN],
  ['man', 6, 12, 'man', '/var/cache/man', NOLOGIN],
  ['lp', 7, 7, 'lp', '/var/spool/lpd', NOLOGIN],
  ['mail', 8, 8, 'mail', '/var/mail', NOLOGIN],
  ['news', 9, 9, 'news', '/var/spool/news', NOLOGIN],
  ['uucp', 10, 10, 'uucp', '/var/spool/uucp', NOLOGIN],
  ['proxy', 13, 13, 'proxy', '/bin', NOLOGIN],
  ['www-data', 33, 33, 'www-data', '/var/www', NOLOGIN],
  ['backup', 34, 34, 'backup', '/var/backups', NOLOGIN],
  ['list', 38, 38, 'Mailing List Manager', '/var/list', NOLOGIN],
  ['irc', 39, 39, 'ircd', '/run/ircd', NOLOGIN],
  ['_apt', 42, 65_534, '', '/nonexistent', NOLOGIN],
  ['nobody', 65_534, 65_534, 'nobody', '/nonexistent', NOLOGIN],
];

export const DEBIAN_GROUPS: readonly (readonly [name: string, id: number])[] = [
  ...([
    ['root', 0],
    ['daemon', 1],
    ['bin', 2],
    ['sys', 3],
    ['adm', 4],
    ['tty', 5],
    ['disk', 6],
    ['lp', 7],
    ['mail', 8],
  ] as const),
  ...([
    ['news', 9],
    ['uucp', 10],
    ['man', 12],
    ['proxy', 13],
    ['kmem', 15],
    ['dialout', 20],
    ['fax', 21],
  ] as const),
  ...([
    ['voice', 22],
    ['cdrom', 24],
    ['floppy', 25],
    ['tape', 26],
    ['sudo', 27],
    ['audio', 29],
    ['dip', 30],
  ] as const),
  ...([
    ['www-data', 33],
    ['backup', 34],
    ['operator', 37],
    ['list', 38],
    ['irc', 39],
    ['src', 40],
    ['shadow', 42],
  ] as const),
  ...([
    ['utmp', 43],
    ['video', 44],
    ['sasl', 45],
    ['plugdev', 46],
    ['staff', 50],
    ['games', 60],
    ['users', 100],
  ] as const),
  ['nogroup', 65_534],
];

/** /etc/passwd, /etc/group and /etc/shadow. */
export function accountFiles(
  accounts: readonly Account[],
  groups: readonly (readonly [name: string, id: number])[],
): ImageFiles {
  const lines = accounts.map(([name, user, group, ...rest]) => `${[name, 'x', user, group, ...rest].join(':')}\n`);
  const shadow = accounts.map(([name]) => `${name}:*:20465:0:99999:7:::\n`);
  return {
    '/etc/passwd': file(lines.join('')),
    '/etc/group': file(groups.map(([name, id]) => `${name}:x:${id}:\n`).join('')),
    '/etc/shadow': { ...file(shadow.join(''), 0o640), group: 42 },
  };
}

/** Adds an account that a package of an image makes, such as nginx' own. */
export function withAccounts(
  files: ImageFiles,
  accounts: readonly Account[],
  groups: readonly (readonly [name: string, id: number])[],
): ImageFiles {
  const added = accountFiles(accounts, groups);
  const append = (path: string) => file((files[path]?.content ?? '') + (added[path]?.content ?? ''), files[path]?.mode);
  return { ...files, '/etc/passwd': append('/etc/passwd'), '/etc/group': append('/etc/group') };
}
