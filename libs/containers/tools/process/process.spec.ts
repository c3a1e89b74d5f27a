import { describe, expect, test } from '@jest/globals';
import type { Program } from '../../../engine/kernel/process/program.js';
import { runLine } from '../testing/run-line.js';
import { programs } from './index.js';

const pick = (prefixes: readonly string[]): Record<string, Program> =>
  Object.fromEntries(
    Object.entries(programs).flatMap(([name, program]) => {
      const [prefix = '', tool = ''] = name.split(':');
      return prefixes.includes(prefix) ? [[tool, program]] : [];
    }),
  );
const GNU = pick(['procps', 'psmisc', 'sysvinit', 'mount', 'util-linux', 'login', 'lsof', 'tini']);
const BUSYBOX = pick(['busybox']);

describe('in Debian', () => {
  test.each([
    ['uptime', ' 00:00:00 up 0 min,  0 users,  load average: 0.00, 0.00, 0.00\n'],
    ['sleep 1860; uptime', ' 00:31:00 up 31 min,  0 users,  load average: 0.00, 0.00, 0.00\n'],
    ['sleep 61; uptime -p', 'up 1 minute\n'],
    ['sleep 9 & pgrep sleep', '2\n'],
    ['sleep 9 & pgrep -a sle', '2 sleep 9\n'],
    ['sleep 9 & sleep 8 & pidof sleep', '3 2\n'],
    ['sleep 99 & pkill -9 sleep; wait $!; echo $?', '137\n'],
    ['sleep 99 & /bin/kill -TERM $!; wait $!; echo $?', '143\n'],
    ['sleep 99 & killall sleep; wait $!; echo $?', '143\n'],
    ['/bin/kill -l 9', 'KILL\n'],
    ['sysctl net.core.somaxconn', 'net.core.somaxconn = 4096\n'],
    ['sysctl -n kernel.ostype', 'Linux\n'],
    ['mountpoint /proc', '/proc is a mountpoint\n'],
    ['tini -- sh -c "exit 3"; echo $?', '3\n'],
    ['tini -- sh -c "kill -9 \\$\\$"; echo $?', '137\n'],
    ['su -c "echo \\$HOME"', '/root\n'],
    ['lscpu | head -1; lscpu | wc -l', `${'Architecture:'.padEnd(38)}x86_64\n24\n`],
    ['lsblk -d', 'NAME   MAJ:MIN RM SIZE RO TYPE MOUNTPOINTS\nvda    254:0    0 100G  0 disk \n'],
    ['lsblk -n /dev/vda1', 'vda1   254:1    0 100G  0 part /\n'],
    ['blkid -s TYPE /dev/vda1; blkid -o value -s TYPE', '/dev/vda1: TYPE="ext4"\next4\n'],
  ])('%s', (line, stdout) => expect(runLine(GNU, line).stdout).toBe(stdout));

  test('free has the columns of procps', () => {
    expect(runLine(GNU, 'free -m').stdout).toMatch(
      /^ {15}total {8}used {8}free {6}shared {2}buff\/cache {3}available\nMem: {12}8192 {8}[ \d]{4} .*\nSwap: {14}0 {11}0 {11}0\n$/,
    );
  });

  test('top -b -n1 has the heads and columns of procps', () => {
    expect(runLine(GNU, 'sleep 9 & sleep 1; top -b -n1; true').stdout).toMatch(
      /^top - 00:00:01 up 0 min, {2}0 users, .*\nTasks: {3}3 total, {3}1 running, {3}2 sleeping, {3}0 stopped, {3}0 zombie\n%Cpu\(s\):.*\nMiB Mem : {3}8192\.0 total,.*\nMiB Swap: .*\n\n {4}PID USER {6}PR {2}NI {4}VIRT {4}RES {4}SHR S {2}%CPU {2}%MEM {5}TIME\+ COMMAND\n {6}\d root {6}20 {3}0/,
    );
  });

  test.each([
    ['/bin/kill 999', 'kill: (999): No such process\n', 1],
    ['killall foo', 'foo: no process found\n', 1],
    ['pgrep foo', '', 1],
    ['pgrep "("', 'pgrep: Unmatched ( or \\(\n', 2],
    ['pgrep', "pgrep: no matching criteria specified\nTry 'pgrep --help' for more information.\n", 2],
    ['sysctl -w net.core.somaxconn=1', 'sysctl: setting key "net.core.somaxconn": Read-only file system\n', 255],
    ['sysctl foo.bar', 'sysctl: cannot stat /proc/sys/foo/bar: No such file or directory\n', 255],
    ['dmesg', 'dmesg: read kernel buffer failed: Operation not permitted\n', 1],
    ['umount /proc', 'umount: /proc: must be superuser to unmount.\n', 32],
    [
      'mount -t tmpfs none /tmp',
      'mount: /tmp: permission denied.\n       dmesg(1) may have more information after failed mount system call.\n',
      32,
    ],
    ['nsenter -t 1 -m sh', "nsenter: reassociate to namespace 'ns/mnt' failed: Operation not permitted\n", 1],
    ['top', 'top: failed tty get\n', 1],
    ['tini -- foo', '[FATAL tini (7)] exec foo failed: No such file or directory\n', 127],
  ])('%s is refused', (line, stderr, code) =>
    expect(runLine(GNU, `true; ${line}`)).toEqual({ stdout: '', stderr, code }),
  );
});

describe('in busybox', () => {
  test.each([
    ['sleep 9 & pgrep -l sleep', '2 sleep\n'],
    ['sleep 99 & killall -9 sleep; wait $!; echo $?', '137\n'],
    ['sysctl net.ipv4.ip_forward', 'net.ipv4.ip_forward = 1\n'],
  ])('%s', (line, stdout) => expect(runLine(BUSYBOX, line).stdout).toBe(stdout));

  test('top has its own columns', () => {
    expect(runLine(BUSYBOX, 'top -b -n1').stdout).toMatch(
      /^Mem: \d+K used, \d+K free, .*\nCPU: .*\nLoad average: 0\.00 0\.00 0\.00 1\/\d \d\n {2}PID {2}PPID USER {5}STAT {3}VSZ %VSZ CPU %CPU COMMAND\n {4}1 {5}0 root {5}/,
    );
  });

  test.each([
    ['/bin/kill 999', "kill: can't kill pid 999: No such process\n", 1],
    ['killall foo', 'killall: foo: no process killed\n', 1],
    ['umount /proc', "umount: can't unmount /proc: Operation not permitted\n", 1],
    ['mount -t tmpfs none /tmp', 'mount: permission denied (are you root?)\n', 1],
    ['dmesg', 'dmesg: klogctl: Operation not permitted\n', 1],
  ])('%s is refused', (line, stderr, code) =>
    expect(runLine(BUSYBOX, `true; ${line}`)).toEqual({ stdout: '', stderr, code }),
  );
});
