import { expect, test } from '@jest/globals';
import { SystemError } from '../errno.js';
import { NO_NETWORK } from '../network.js';
import { exit } from '../process/program.js';
import type { Syscalls } from '../process/syscalls.js';
import { program, runCommand } from '../testing.js';
import { weightOf } from './cgroup.js';

const read = (sys: Syscalls, path: string): string => sys.read(sys.open(path, { read: true }), 1_000_000) ?? '';

/** What a process writes about what it sees. */
function see(look: (sys: Syscalls) => string, fields = {}): string {
  const main = program<null>({
    start: () => null,
    step(_, sys) {
      try {
        sys.write(1, look(sys));
      } catch (error) {
        if (!(error instanceof SystemError)) throw error;
        sys.write(1, error.code);
      }
      return exit(0);
    },
  });
  const network = {
    ...NO_NETWORK,
    routes: () => [
      { destination: 'default', gateway: '10.244.1.1', device: 'eth0' },
      { destination: '10.244.1.0/24', device: 'eth0' },
    ],
  };
  return runCommand({ main }, ['main', 'an argument'], fields, { network }).stdout;
}

const MIB = 1024 * 1024;

test('in a container that is not privileged a parameter cannot even be opened to be written', () => {
  const path = '/proc/sys/net/ipv4/ip_forward';
  const open = (sys: Syscalls): string => String(sys.open(path, { write: true, truncate: true }));
  expect(see(open)).toBe('EROFS');
  expect(see((sys) => String(sys.access(path, 'w')))).toBe('false');
  expect(see((sys) => String(sys.access(path, 'w')), { capabilities: ['SYS_ADMIN'] })).toBe('true');
});

test.each([
  ['/proc/1/cmdline', 'main\0an argument\0'],
  ['/proc/self/comm', 'main\n'],
  ['/proc/self/environ', 'PATH=/bin\0HOME=/root\0'],
  ['/proc/self/cgroup', '0::/\n'],
  ['/proc/1/stat', /^1 \(main\) R 0 1 1 0 -1 /],
  [
    '/proc/1/status',
    /^Name:\tmain\n[^]*\nState:\tR \(running\)\n[^]*\nUid:\t0\t0\t0\t0\n[^]*\nCapEff:\t00000000a80425fb\n/,
  ],
  ['/proc/1/ns/nothing', 'ENOENT'],
  ['/proc/uptime', '0.00 0.00\n'],
  ['/proc/meminfo', /^MemTotal: {8}8388608 kB\nMemFree: /],
  ['/proc/sys/kernel/ostype', 'Linux\n'],
  ['/proc/sys/kernel/hostname', 'test\n'],
  [
    '/proc/net/route',
    /^Iface\t[^]*\neth0\t00000000\t0101F40A\t0003\t0\t0\t0\t00000000\t0\t0\t0 *\neth0\t0001F40A\t00000000\t0001\t0\t0\t0\t00FFFFFF\t/,
  ],
  ['/proc/mounts', /^overlay \/ overlay rw,relatime 0 0\nproc \/proc proc rw,nosuid,nodev,noexec,relatime 0 0\n/],
  ['/proc/1/root/proc/1/comm', 'main\n'],
  ['/proc/1/root/../none', 'ENOENT'],
  ['/proc/999/comm', 'ENOENT'],
  ['/sys/fs/cgroup/memory.max', '134217728\n'],
  ['/sys/fs/cgroup/memory.current', '524288\n'],
  ['/sys/fs/cgroup/cpu.max', '50000 100000\n'],
  ['/sys/fs/cgroup/cpu.weight', '59\n'],
  ['/sys/fs/cgroup/pids.max', '100\n'],
  ['/sys/fs/cgroup/pids.current', '1\n'],
  ['/sys/fs/cgroup/cgroup.procs', '1\n'],
  ['/sys/class/net/lo/mtu', '65536\n'],
])('%s', (path, expected) => {
  const limits = { memoryLimit: 128 * MIB, cpuLimit: 500, cpuShares: 512, processLimit: 100 };
  const content = see((sys) => read(sys, path), limits);
  if (expected instanceof RegExp) expect(content).toMatch(expected);
  else expect(content).toBe(expected);
});

test.each([
  ['/proc', ['1', 'self', 'meminfo', 'net', 'sys', 'cpuinfo']],
  ['/proc/1', ['cmdline', 'fd', 'status', 'stat']],
  ['/proc/sys/net/ipv4', ['ip_forward', 'conf', 'tcp_syncookies']],
  ['/proc/self/net', ['tcp', 'udp', 'dev', 'route']],
  ['/sys', ['class', 'devices', 'fs', 'kernel']],
  ['/sys/class', ['net', 'dmi']],
  ['/sys/class/net', ['lo']],
  ['/sys/fs', ['cgroup']],
  ['/dev', ['null', 'zero', 'tty', 'stdin', 'pts', 'shm', 'fd']],
])('names in %s', (path, names) => {
  expect(JSON.parse(see((sys) => JSON.stringify(sys.readDirectory(path))))).toEqual(expect.arrayContaining(names));
});

test('what it opens stands in /proc/self/fd', () => {
  const links = see((sys) => {
    sys.open('/etc/passwd', { read: true });
    sys.pipe();
    return sys
      .readDirectory('/proc/self/fd')
      .map((fd) => sys.readLink(`/proc/self/fd/${fd}`))
      .join();
  });
  expect(links).toMatch(/^\/dev\/null,pipe:\[\d+\],pipe:\[\d+\],\/etc\/passwd,pipe:\[10001\],pipe:\[10001\]$/);
});

test.each([
  ['a container', {}, 'EROFS'],
  ['a privileged container', { capabilities: ['SYS_ADMIN'] }, '0\n'],
])('sysctl -w in %s', (_, fields, expected) => {
  const set = (sys: Syscalls): string => {
    sys.write(sys.open('/proc/sys/net/ipv4/ip_forward', { write: true }), '0\n');
    return read(sys, '/proc/sys/net/ipv4/ip_forward');
  };
  expect(see(set, fields)).toBe(expected);
});

test.each([
  [2, 1],
  [512, 59],
  [1_024, 100],
  [262_144, 10_000],
])('cpu.shares %i is cpu.weight %i', (shares, weight) => {
  expect(weightOf(shares)).toBe(weight);
});

test.each([
  ['user', {}, 'user:[4026531837]'],
  ['user', { usersFrom: 65_536 }, /^user:\[40265322\d\d\]$/],
  ['net', {}, /^net:\[40265322\d\d\]$/],
])('readlink /proc/self/ns/%s', (name, fields, expected) => {
  expect(see((sys) => sys.readLink(`/proc/self/ns/${name}`), fields)).toMatch(expected);
});
