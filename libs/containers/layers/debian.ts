import type { FileNode, ImageFiles } from '../../engine/kernel/files/file.js';
import { accountFiles, type Account, DEBIAN_ACCOUNTS, DEBIAN_GROUPS } from './accounts.js';
import { DEBIAN_PACKAGES, ESSENTIAL } from './debian-packages.js';
import { directory, file, joinLayers, link, opaque, readPrograms } from './layer.js';

/** The files of packages: for images that add to Debian's or Ubuntu's own. */
export const debianPackages = (...names: readonly string[]): ImageFiles =>
  joinLayers(
    ...names.flatMap((name) => {
      const lists = DEBIAN_PACKAGES[name];
      if (lists === undefined) throw new Error(`no package ${name}`);
      return lists.map((list) => readPrograms(list));
    }),
    dpkgStatus(names),
  );

/** What dpkg knows as installed: one empty file list for each package, as in /var/lib/dpkg/info. */
const dpkgStatus = (names: readonly string[]): ImageFiles =>
  Object.fromEntries(names.map((name): [string, FileNode] => [`/var/lib/dpkg/info/${name}.list`, file('/.\n')]));

const SYSTEM_BASHRC = [
  '# System-wide .bashrc file for interactive bash(1) shells.',
  '',
  "# If not running interactively, don't do anything",
  '[ -z "$PS1" ] && return',
  '',
  '# set variable identifying the chroot you work in (used in the prompt below)',
  'if [ -z "${debian_chroot:-}" ] && [ -r /etc/debian_chroot ]; then',
  '    debian_chroot=$(cat /etc/debian_chroot)',
  'fi',
  '',
  '# set a fancy prompt (non-color, overwrite the one in /etc/profile)',
  "PS1='${debian_chroot:+($debian_chroot)}\\u@\\h:\\w\\$ '",
  '',
].join('\n');
const PROFILE = [
  '# ~/.profile: executed by Bourne-compatible login shells.',
  '',
  'if [ "$BASH" ]; then',
  '  if [ -f ~/.bashrc ]; then',
  '    . ~/.bashrc',
  '  fi',
  'fi',
  '',
].join('\n');
/** As Debian has it, PATH too: a login shell forgets what an image has set. */
const SYSTEM_PROFILE = [
  '# /etc/profile: system-wide .profile file for the Bourne shell (sh(1))',
  '',
  'if [ "$(id -u)" -eq 0 ]; then',
  '  PATH="/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"',
  'else',
  '  PATH="/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games"',
  'fi',
  'export PATH',
  '',
  'if [ "${PS1-}" ] && [ "${BASH-}" ] && [ "$BASH" != "/bin/sh" ] && [ -f /etc/bash.bashrc ]; then',
  '  . /etc/bash.bashrc',
  'fi',
  '',
  'for i in /etc/profile.d/*.sh; do',
  '  if [ -r "$i" ]; then . "$i"; fi',
  'done',
  'unset i',
  '',
].join('\n');
const BASHRC = [
  '# ~/.bashrc: executed by bash(1) for non-login shells.',
  '',
  "# alias ls='ls $LS_OPTIONS'",
  "# alias ll='ls $LS_OPTIONS -l'",
  '',
].join('\n');

/** What Debian and Ubuntu have in common. */
export function debianBase(
  release: readonly string[],
  issue: string,
  accounts: readonly Account[] = DEBIAN_ACCOUNTS,
): ImageFiles {
  return joinLayers(
    { '/bin': link('usr/bin'), '/sbin': link('usr/sbin'), '/lib': link('usr/lib'), '/lib64': link('usr/lib64') },
    { '/boot': directory(), '/home': directory(), '/media': directory(), '/mnt': directory(), '/opt': directory() },
    {
      '/root': directory(0o700),
      '/run': directory(),
      '/run/lock': directory(0o1777),
      '/srv': directory(),
      '/tmp': directory(0o1777),
    },
    {
      '/usr/local/bin': directory(),
      '/usr/local/sbin': directory(),
      '/usr/local/lib': directory(),
      '/usr/games': directory(),
    },
    {
      '/usr/share/doc': directory(),
      '/usr/share/zoneinfo': directory(),
      '/usr/lib64': directory(),
      '/usr/src': directory(),
    },
    {
      '/var/backups': directory(),
      '/var/cache/apt/archives/partial': directory(0o700),
      '/var/lib/apt/lists': directory(),
    },
    {
      '/var/lock': link('/run/lock'),
      '/var/log': directory(),
      '/var/mail': { ...directory(0o2775), group: 8 },
      '/var/run': link('/run'),
    },
    {
      '/var/spool': directory(),
      '/var/tmp': directory(0o1777),
      '/etc/alternatives': directory(),
      '/etc/default': directory(),
    },
    accountFiles(accounts, DEBIAN_GROUPS),
    {
      '/etc/os-release': link('../usr/lib/os-release'),
      '/usr/lib/os-release': file(`${release.join('\n')}\n`),
      '/etc/issue': file(`${issue} \\n \\l\n\n`),
      '/etc/issue.net': file(`${issue}\n`),
      '/etc/shells': file(
        '# /etc/shells: valid login shells\n/bin/sh\n/usr/bin/sh\n/bin/bash\n/usr/bin/bash\n/bin/rbash\n/usr/bin/rbash\n/bin/dash\n/usr/bin/dash\n',
      ),
      '/etc/nsswitch.conf': file(
        'passwd:         files\ngroup:          files\nshadow:         files\ngshadow:        files\n\nhosts:          files dns\nnetworks:       files\n\nprotocols:      db files\nservices:       db files\nethers:         db files\nrpc:            db files\n\nnetgroup:       nis\n',
      ),
      '/etc/host.conf': file('multi on\n'),
      '/etc/environment': file(''),
      '/etc/fstab': file('# UNCONFIGURED FSTAB FOR BASE SYSTEM\n'),
      '/etc/login.defs': file('UMASK\t\t022\nUID_MIN\t\t\t 1000\nUID_MAX\t\t\t60000\n'),
      '/etc/localtime': link('/usr/share/zoneinfo/Etc/UTC'),
      '/etc/timezone': file('Etc/UTC\n'),
      '/etc/bash.bashrc': file(SYSTEM_BASHRC),
      '/root/.bashrc': file(BASHRC),
      '/root/.profile': file(PROFILE),
      '/etc/profile': file(SYSTEM_PROFILE),
      '/etc/profile.d': directory(),
      '/usr/lib/x86_64-linux-gnu/libc.so.6': opaque(1_922_136, 0o755),
      '/usr/lib/x86_64-linux-gnu/libcrypto.so.3': opaque(4_709_376),
      '/usr/lib/x86_64-linux-gnu/libm.so.6': opaque(907_784),
      '/usr/lib64/ld-linux-x86-64.so.2': opaque(210_968, 0o755),
      '/var/log/dpkg.log': file(''),
      '/var/lib/dpkg/status': file(''),
    },
    debianPackages(...ESSENTIAL),
  );
}

const CODE_NAMES: Readonly<Record<string, string>> = { '11': 'bullseye', '12': 'bookworm', '13': 'trixie' };

/** The image debian; a version such as '12.11'. */
export function debianLayer(version = '12.11'): ImageFiles {
  const major = version.split('.')[0]!;
  const codeName = CODE_NAMES[major] ?? 'bookworm';
  const release = [
    `PRETTY_NAME="Debian GNU/Linux ${major} (${codeName})"`,
    'NAME="Debian GNU/Linux"',
    `VERSION_ID="${major}"`,
    `VERSION="${major} (${codeName})"`,
    `VERSION_CODENAME=${codeName}`,
    'ID=debian',
    'HOME_URL="https://www.debian.org/"',
    'SUPPORT_URL="https://www.debian.org/support"',
    'BUG_REPORT_URL="https://bugs.debian.org/"',
  ];
  return joinLayers(debianBase(release, `Debian GNU/Linux ${major}`), { '/etc/debian_version': file(`${version}\n`) });
}
