import { describe, expect, test } from '@jest/globals';
import { DEFAULT_CAPABILITIES, type ContainerSpec } from '../../../engine/kernel/container.js';
import { FileTree } from '../../../engine/kernel/files/tree.js';
import { HOST_ROOT, type HostProcess } from '../../../engine/kernel/host/host.js';
import { programs as coreutils } from '../coreutils/index.js';
import { runLine } from '../testing/run-line.js';
import { programs } from './index.js';

const LIST = '/run/processes.json';
const process = (pid: number, argv: string[], more: Partial<HostProcess> = {}): HostProcess => ({
  ...{ pid, parent: 1, user: 0, argv, startedAt: 0, memory: 4_096 },
  ...more,
});
const PROCESSES = [
  process(1, ['/sbin/init'], { parent: 0 }),
  process(300, ['/usr/bin/kubelet', '--v=2'], { memory: 8_192 }),
  process(4_000, ['/shim']),
  process(5_000, ['sh'], { parent: 4_000, container: 'c1' }),
  process(6_000, ['nginx'], { parent: 4_000, container: 'other', user: 101 }),
];
const owner = { user: 0, group: 0, modified: 0 };
const diskOf = (): FileTree =>
  new FileTree('node', {
    [LIST]: { type: 'file', mode: 0o600, ...owner, content: JSON.stringify({ processes: PROCESSES }) },
    '/etc/hostname': { type: 'file', mode: 0o644, ...owner, content: 'worker-1\n' },
    '/bin/where': { type: 'file', mode: 0o755, ...owner, content: '#!/bin/sh\n' },
  });

const TOOLS = {
  ...Object.fromEntries(['ps', 'pgrep', 'pkill', 'kill'].map((name) => [name, programs[`procps:${name}`]!] as const)),
  ...Object.fromEntries(['ls', 'readlink', 'tr'].map((name) => [name, coreutils[`coreutils:${name}`]!] as const)),
  nsenter: programs['util-linux:nsenter']!,
};

/** A container in its host's PID namespace; one that may trace has the host's disk at /proc/1/root. */
function hosted(isTraced: boolean, hidesMain?: true): Partial<ContainerSpec> {
  const tree = diskOf();
  const mount = { path: HOST_ROOT, tree, readOnly: false, source: '/dev/vda1', type: 'ext4', options: [] };
  return {
    host: { tree, list: LIST, pid: 5_000, ...(hidesMain ? { hidesMain } : {}) },
    ...(isTraced
      ? {
          mounts: [mount],
          systemRoots: [HOST_ROOT],
          capabilities: [...DEFAULT_CAPABILITIES, 'SYS_ADMIN', 'SYS_PTRACE'],
        }
      : {}),
  };
}
const run = (line: string, isTraced = false, hidesMain?: true) =>
  runLine(TOOLS, `${line}; true`, {}, hosted(isTraced, hidesMain));

describe('a container in the PID namespace of its host', () => {
  test('has a number of its host, and sees who else runs there', () => {
    expect(run('echo $$; ps -eo pid,ppid,user,args').stdout).toBe(
      [
        '5000',
        '  PID  PPID USER     COMMAND',
        '    1     0 root     /sbin/init',
        '  300     1 root     /usr/bin/kubelet --v=2',
        ' 4000     1 root     /shim',
        ' 5000  4000 root     sh -c echo $$; ps -eo pid,ppid,user,args; true',
        ' 5001  5000 root     ps -eo pid,ppid,user,args',
        ' 6000  4000 101      nginx',
        '',
      ].join('\n'),
    );
  });

  test('whose first process stands for the host itself does not show it', () =>
    expect(run('pgrep -x sh | wc -l; pgrep -x kubelet', false, true).stdout).toBe('0\n300\n'));

  test.each([
    ['cat /proc/1/comm', 'systemd\n'],
    ["tr '\\0' ' ' < /proc/300/cmdline", '/usr/bin/kubelet --v=2 '],
    ['readlink /proc/300/exe', '/usr/bin/kubelet\n'],
    ['cat /proc/300/status | head -1; cat /proc/6000/status | head -9 | wc -l', 'Name:\tkubelet\n9\n'],
    ['cat /proc/300/statm', '2 2 0 1 0 1 0\n'],
    ['ls -d /proc/300 /proc/5000', '/proc/300\n/proc/5000\n'],
    ['test $(readlink /proc/1/ns/pid) = $(readlink /proc/self/ns/pid) && echo same', 'same\n'],
    ['test $(readlink /proc/1/ns/mnt) = $(readlink /proc/self/ns/mnt) || echo other', 'other\n'],
  ])('%s', (line, expected) => expect(run(line).stdout).toBe(expected));

  test.each([
    ['ls /proc/1/root/', "ls: cannot access '/proc/1/root/': Permission denied\n"],
    ['ls /proc/6000/root/', "ls: cannot access '/proc/6000/root/': Permission denied\n"],
    ['cat /proc/6000/environ', 'cat: /proc/6000/environ: No such file or directory\n'],
    ['nsenter -t 1 -m true', "nsenter: reassociate to namespace 'ns/mnt' failed: Operation not permitted\n"],
    ['nsenter -t 7 -m true', 'nsenter: cannot open /proc/7/ns/mnt: No such file or directory\n'],
    ['/bin/kill 300', 'kill: (300): Operation not permitted\n'],
    ['pkill -x nginx', 'pkill: killing pid 6000 failed: Operation not permitted\n'],
    ['kill 300', 'sh: 1: kill: Operation not permitted\n\n'],
    ['kill 7', 'sh: 1: kill: No such process\n\n'],
  ])('%s is refused', (line, stderr) => expect(run(line)).toMatchObject({ stderr, code: 0 }));
});

describe('a privileged one', () => {
  test.each([
    ['cat /proc/1/root/etc/hostname', 'worker-1\n'],
    ['cat /proc/300/root/etc/hostname', 'worker-1\n'],
    ['nsenter -t $$ -m sh -c "cat /etc/passwd /proc/self/comm" | wc -l', '2\n'],
  ])('%s', (line, stdout) => expect(run(line, true)).toMatchObject({ stdout, stderr: '' }));

  test('does not list its host’s disk among its mounts', () =>
    expect(run('cat /proc/mounts', true).stdout).not.toContain(HOST_ROOT));

  test.each([
    ['nsenter -t 1 -n true', "nsenter: reassociate to namespace 'ns/net' failed: Operation not permitted\n"],
    [
      'nsenter -t 6000 -m true',
      'nsenter: entering the files of a container of another pod is not simulated: use crictl exec\n',
    ],
    ['nsenter --mount=/proc/1/ns/mnt -- lost', 'nsenter: failed to execute lost: No such file or directory\n'],
    ['nsenter --mount=/proc/one/ns/mnt true', 'nsenter: cannot open /proc/one/ns/mnt: No such file or directory\n'],
  ])('%s says so', (line, stderr) => expect(run(line, true).stderr).toBe(stderr));
});
