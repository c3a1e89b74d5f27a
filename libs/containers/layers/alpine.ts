import type { ImageFiles } from '../../engine/kernel/files/file.js';
import { type Account, accountFiles } from './accounts.js';
import { ALPINE_PACKAGES } from './alpine-packages.js';
import { linkedApplets } from './busybox.js';
import { directory, executable, file, joinLayers, link, opaque, readPrograms } from './layer.js';

const ACCOUNTS: readonly Account[] = [
  ['root', 0, 0, 'root', '/root', '/bin/sh'],
  ['bin', 1, 1, 'bin', '/bin', '/sbin/nologin'],
  ['daemon', 2, 2, 'daemon', '/sbin', '/sbin/nologin'],
  ['lp', 4, 7, 'lp', '/var/spool/lpd', '/sbin/nologin'],
  ['sync', 5, 0, 'sync', '/sbin', '/bin/sync'],
  ['shutdown', 6, 0, 'shutdown', '/sbin', '/sbin/shutdown'],
  ['halt', 7, 0, 'halt', '/sbin', '/sbin/halt'],
  ['mail', 8, 12, 'mail', '/var/mail', '/sbin/nologin'],
  ['news', 9, 13, 'news', '/usr/lib/news', '/sbin/nologin'],
  ['uucp', 10, 14, 'uucp', '/var/spool/uucppublic', '/sbin/nologin'],
  ['cron', 16, 16, 'cron', '/var/spool/cron', '/sbin/nologin'],
  ['ftp', 21, 21, '', '/var/lib/ftp', '/sbin/nologin'],
  ['sshd', 22, 22, 'sshd', '/dev/null', '/sbin/nologin'],
  ['games', 35, 35, 'games', '/usr/games', '/sbin/nologin'],
  ['ntp', 123, 123, 'NTP', '/var/empty', '/sbin/nologin'],
  ['guest', 405, 100, 'guest', '/dev/null', '/sbin/nologin'],
  ['nobody', 65_534, 65_534, 'nobody', '/', '/sbin/nologin'],
];
const GROUPS: readonly (readonly [string, number])[] = [
  ...([
    ['root', 0],
    ['bin', 1],
    ['daemon', 2],
    ['sys', 3],
    ['adm', 4],
    ['tty', 5],
    ['disk', 6],
    ['lp', 7],
    ['kmem', 9],
  ] as const),
  ...([
    ['wheel', 10],
    ['floppy', 11],
    ['mail', 12],
    ['news', 13],
    ['uucp', 14],
    ['cron', 16],
    ['audio', 18],
  ] as const),
  ...([
    ['cdrom', 19],
    ['dialout', 20],
    ['ftp', 21],
    ['sshd', 22],
    ['input', 23],
    ['tape', 26],
    ['video', 27],
  ] as const),
  ...([
    ['netdev', 28],
    ['kvm', 34],
    ['games', 35],
    ['shadow', 42],
    ['www-data', 82],
    ['users', 100],
    ['ntp', 123],
  ] as const),
  ...([
    ['abuild', 300],
    ['utmp', 406],
    ['ping', 999],
    ['nogroup', 65_533],
    ['nobody', 65_534],
  ] as const),
];

export const alpinePackages = (...names: (keyof typeof ALPINE_PACKAGES)[]): ImageFiles =>
  joinLayers(
    ...names.flatMap((name) =>
      ALPINE_PACKAGES[name]!.map((list) => readPrograms(list, (program) => executable(program, 240_000))),
    ),
  );

/** The image alpine. */
export function alpineLayer(version = '3.23.2'): ImageFiles {
  const [major, minor] = version.split('.');
  const release = [
    'NAME="Alpine Linux"',
    'ID=alpine',
    `VERSION_ID=${version}`,
    `PRETTY_NAME="Alpine Linux v${major}.${minor}"`,
    'HOME_URL="https://alpinelinux.org/"',
    'BUG_REPORT_URL="https://gitlab.alpinelinux.org/alpine/aports/-/issues"',
  ];
  const repositories = ['main', 'community'].map(
    (name) => `https://dl-cdn.alpinelinux.org/alpine/v${major}.${minor}/${name}\n`,
  );
  return joinLayers(
    {
      '/home': directory(),
      '/media': directory(),
      '/mnt': directory(),
      '/opt': directory(),
      '/root': directory(0o700),
    },
    {
      '/run': directory(),
      '/srv': directory(),
      '/tmp': directory(0o1777),
      '/usr/local/bin': directory(),
      '/var/log': directory(),
    },
    {
      '/var/cache/apk': directory(),
      '/var/tmp': directory(0o1777),
      '/var/run': link('../run'),
      '/var/empty': directory(0o555),
    },
    accountFiles(ACCOUNTS, GROUPS),
    {
      '/etc/alpine-release': file(`${version}\n`),
      '/etc/os-release': link('../usr/lib/os-release'),
      '/usr/lib/os-release': file(`${release.join('\n')}\n`),
      '/etc/apk/repositories': file(repositories.join('')),
      '/etc/apk/world': file('alpine-baselayout\nalpine-keys\nalpine-release\napk-tools\nbusybox\nlibc-utils\n'),
      '/etc/issue': file(`Welcome to Alpine Linux ${major}.${minor}\nKernel \\r on an \\m (\\l)\n\n`),
      '/etc/motd': file(
        'Welcome to Alpine!\n\nThe Alpine Wiki contains a large amount of how-to guides and general\ninformation about administrating Alpine systems.\nSee <https://wiki.alpinelinux.org/>.\n',
      ),
      '/etc/nsswitch.conf': file('hosts: files dns\n'),
      '/etc/shells': file('# valid login shells\n/bin/sh\n/bin/ash\n'),
      '/etc/profile': file('export PATH="/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"\n'),
      '/lib/ld-musl-x86_64.so.1': opaque(662_464, 0o755),
      '/usr/lib/libcrypto.so.3': opaque(4_567_176, 0o755),
      '/usr/lib/libssl.so.3': opaque(838_432, 0o755),
    },
    linkedApplets(),
    alpinePackages('apk-tools'),
  );
}
