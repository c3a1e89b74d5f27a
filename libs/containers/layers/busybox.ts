import type { FileNode, ImageFiles } from '../../engine/kernel/files/file.js';
import { accountFiles, type Account } from './accounts.js';
import { directory, executable, file, joinLayers, link, readPrograms } from './layer.js';

/** Applets by the directories where Alpine links them; the image busybox has all of them in /bin. */
export const APPLETS: Readonly<Record<string, string>> = {
  '/bin': `arch ash base64 bbconfig cat chattr chgrp chmod chown cp date dd df dmesg dnsdomainname echo egrep false fgrep
    fsync getopt grep gunzip gzip hostname ionice iostat ipcalc kill link linux32 linux64 ln login ls lsattr lzop
    mkdir mknod mktemp more mount mountpoint mpstat mv netstat nice pidof ping ping6 printenv ps pwd rev rm rmdir run-parts
    sed setpriv sh sleep stat stty su sync tar touch true umount uname usleep watch zcat`,
  '/sbin': `arp blkid fdisk fsck getty halt hwclock ifconfig ifdown ifup init insmod ip ipaddr iplink ipneigh
    iproute iprule klogd losetup lsmod mdev mkfs.vfat mkswap modinfo modprobe nameif nologin pivot_root poweroff reboot
    rmmod route setconsole slattach swapoff swapon switch_root sysctl syslogd tunctl udhcpc vconfig watchdog zcip`,
  '/usr/bin': `[ [[ awk basename bc bunzip2 bzcat bzip2 cal cksum clear cmp comm cpio crontab cryptpw cut dc diff dirname
    dos2unix du env expand expr factor fallocate find flock fold free fuser getent groups hd head hexdump hostid
    id install ipcrm ipcs killall last less logger lsof lzcat lzma md5sum mesg mkfifo mkpasswd nc nl nmeter nohup nproc
    nsenter nslookup od passwd paste pgrep pkill pmap printf pscan pstree pwdx readlink realpath renice reset resize seq
    setsid sha1sum sha256sum sha3sum sha512sum shred shuf sort split strings sum tac tail tee test time timeout top tr
    traceroute traceroute6 tree truncate tty ttysize unexpand uniq unix2dos unlink unlzma unshare unxz unzip uptime
    uudecode uuencode vi volname wc wget which who whoami whois xargs xxd xzcat yes`,
  '/usr/sbin': `addgroup adduser arping brctl chpasswd chroot crond delgroup deluser fbset httpd killall5 nbd-client ntpd
    rdate sendmail telnetd`,
};
/** Names whose program is called otherwise. */
const RENAMED: Readonly<Record<string, string>> = { sh: 'ash', ash: 'ash', '[[': 'busybox:[', hd: 'busybox:hexdump' };

const BUSYBOX_SIZE = 1_131_168;

/** A list of programs: applets that exist. */
const listApplets = (path: string, names: string) =>
  `${path} busybox ${names
    .trim()
    .split(/\s+/)
    .map((name) => (RENAMED[name] === undefined ? name : `${name}=${RENAMED[name]}`))
    .join(' ')}`;

/** Hard links of one file, as the image has them. */
const hardLinks = (program: string): FileNode => executable(program, BUSYBOX_SIZE);

/** Links to /bin/busybox, which looks at its own name. */
export const linkedApplets = (): ImageFiles =>
  joinLayers(
    readPrograms('/bin busybox busybox', hardLinks),
    ...Object.entries(APPLETS).map(([path, names]) =>
      readPrograms(listApplets(path, names), () => link('/bin/busybox')),
    ),
  );

const ACCOUNTS: readonly Account[] = [
  ['root', 0, 0, 'root', '/root', '/bin/sh'],
  ['daemon', 1, 1, 'daemon', '/usr/sbin', '/bin/false'],
  ['bin', 2, 2, 'bin', '/bin', '/bin/false'],
  ['sys', 3, 3, 'sys', '/dev', '/bin/false'],
  ['sync', 4, 100, 'sync', '/bin', '/bin/sync'],
  ['mail', 8, 8, 'mail', '/var/spool/mail', '/bin/false'],
  ['www-data', 33, 33, 'www-data', '/var/www', '/bin/false'],
  ['operator', 37, 37, 'Operator', '/var', '/bin/false'],
  ['nobody', 65_534, 65_534, 'nobody', '/home', '/bin/false'],
];
const GROUPS: readonly (readonly [string, number])[] = [
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
    ['kmem', 9],
    ['wheel', 10],
    ['cdrom', 11],
    ['dialout', 18],
    ['floppy', 19],
    ['video', 28],
    ['audio', 29],
  ] as const),
  ...([
    ['tape', 32],
    ['www-data', 33],
    ['operator', 37],
    ['utmp', 43],
    ['plugdev', 46],
    ['staff', 50],
    ['lock', 54],
  ] as const),
  ...([
    ['netdev', 82],
    ['users', 100],
    ['nobody', 65_534],
  ] as const),
];

/** The image busybox. */
export const busyboxLayer: ImageFiles = joinLayers(
  {
    '/bin': directory(),
    '/dev': directory(),
    '/etc': directory(),
    '/home': { ...directory(), user: 65_534, group: 65_534 },
  },
  {
    '/lib': directory(),
    '/lib64': link('lib'),
    '/root': directory(0o700),
    '/tmp': directory(0o1777),
    '/usr/bin': directory(),
  },
  {
    '/usr/sbin': { ...directory(), user: 1, group: 1 },
    '/var/spool/mail': { ...directory(), user: 8, group: 8 },
    '/var/www': directory(0o755),
  },
  accountFiles(ACCOUNTS, GROUPS),
  {
    '/etc/nsswitch.conf': file('passwd: db files nis\ngroup: db files nis\nshadow: files nis\n'),
    '/usr/bin/env': link('../../bin/env'),
  },
  readPrograms('/bin busybox busybox', hardLinks),
  ...[...Object.values(APPLETS), 'patch telnet'].map((names) => readPrograms(listApplets('/bin', names), hardLinks)),
);

/** The same up to busybox 1.28. */
export const oldBusyboxLayer: ImageFiles = joinLayers(busyboxLayer, {
  '/bin/nslookup': hardLinks('busybox-1.28:nslookup'),
});
