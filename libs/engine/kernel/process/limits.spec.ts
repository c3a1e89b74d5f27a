import { expect, test } from '@jest/globals';
import { SystemError } from '../errno.js';
import { program, runCommand } from '../testing.js';
import { exit } from './program.js';
import type { Syscalls } from './syscalls.js';

/** What a call fails with; '': nothing. */
function codeOf(call: () => unknown): string {
  try {
    call();
    return '';
  } catch (error) {
    if (error instanceof SystemError) return error.code;
    throw error;
  }
}

const run = (act: (sys: Syscalls) => string, user = 0): string => {
  const one = program<null>({
    start: () => null,
    step(_, sys) {
      sys.write(1, act(sys));
      return exit(0);
    },
  });
  const idle = program<null>({ start: () => null, step: (_, sys) => ({ type: 'wait', until: sys.now + 1_000 }) });
  return runCommand({ one, idle }, ['one'], { user }).stdout;
};

test('a process opens as many files as it allows itself', () =>
  expect(
    run((sys) => {
      sys.setLimits({ files: 4 });
      const open = (): string => codeOf(() => sys.open('/', { read: true }));
      return [open(), open(), codeOf(() => sys.duplicate(0, 9))].join(' ');
    }),
  ).toBe(' EMFILE EBADF'));

test.each([
  [1_000, 'EAGAIN'],
  [0, ''],
])('user %i that allows itself two processes gets a third: %j', (user, expected) =>
  expect(
    run((sys) => {
      sys.setLimits({ processes: 2 });
      sys.spawn({ path: '/bin/idle', argv: ['idle'] });
      return codeOf(() => sys.spawn({ path: '/bin/idle', argv: ['idle'] }));
    }, user),
  ).toBe(expected),
);
