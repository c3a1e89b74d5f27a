import { expect, test } from '@jest/globals';
import { SystemError } from '../errno.js';
import { exit } from '../process/program.js';
import type { Syscalls } from '../process/syscalls.js';
import { program, runCommand } from '../testing.js';

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
  return runCommand({ main }, ['main'], fields).stdout;
}

const read = (sys: Syscalls, path: string): string => sys.read(sys.open(path, { read: true })) ?? '';
const banner = (sys: Syscalls): string => read(sys, '/proc/version') + read(sys, '/proc/sys/kernel/osrelease');
const log = (sys: Syscalls): string => `${sys.kernelLog()[0]?.text}, ${sys.kernelLog().at(-1)?.text}`;
const gvisor = { kernel: 'gvisor' };

test('a container has the node’s kernel, and reads its log with CAP_SYSLOG only', () => {
  expect(see(banner)).toMatch(/^Linux version 6\.12\.\d+\+deb13-amd64 .*\n6\.12\.\d+\+deb13-amd64\n$/);
  expect(see(log)).toBe('EPERM');
  expect(see(log, { capabilities: ['SYSLOG'] })).toMatch(/^Linux version 6.*overlayfs: module loaded$/);
});

test('one of gVisor has gVisor’s, which tells everybody the same of its start', () => {
  expect(see(banner, gvisor)).toBe('Linux version 4.19.0-gvisor #1 SMP Sun Jan 10 15:06:54 PST 2016\n4.19.0-gvisor\n');
  expect(see(log, gvisor)).toBe('Starting gVisor..., Ready!');
  expect(
    see(
      (sys) =>
        sys
          .kernelLog()
          .map(({ text }) => text)
          .join('|'),
      gvisor,
    ),
  ).toBe(
    see(
      (sys) =>
        sys
          .kernelLog()
          .map(({ text }) => text)
          .join('|'),
      gvisor,
    ),
  );
});
