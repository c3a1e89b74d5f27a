import { expect, test } from '@jest/globals';
import { SystemError } from '../errno.js';
import type { FileNode, ImageFiles } from '../files/file.js';
import { FileTree } from '../files/tree.js';
import { EXEC, exit } from './program.js';
import type { Syscalls } from './syscalls.js';
import { imageOf, program, runCommand } from '../testing.js';

const owner = { user: 0, group: 0, modified: 5 };
const file = (content: string): FileNode => ({ type: 'file', mode: 0o644, ...owner, content });
const link = (target: string): FileNode => ({ type: 'link', mode: 0o777, ...owner, target });

const FILES: ImageFiles = { '/etc/name': file('container'), '/secret': file('outside') };
const DISK: ImageFiles = {
  '/etc/name': file('node'),
  '/up': link('../../secret'),
  '/absolute': link('/etc/name'),
  '/inner/etc/name': file('inner'),
  '/bin/say': { type: 'file', mode: 0o755, ...owner, size: 1, program: 'say' },
};

const say = program<null>({
  start: () => null,
  step(_, sys) {
    sys.write(1, `${read(sys, '/etc/name')} in ${sys.cwd()}`);
    return exit(0);
  },
});

const read = (sys: Syscalls, path: string): string => {
  const descriptor = sys.open(path, { read: true });
  const bytes = sys.read(descriptor) ?? '';
  sys.close(descriptor);
  return bytes;
};

/** What calls of a process print, or their error; it may go on as another program. */
function outcome(run: (sys: Syscalls) => string | typeof EXEC, capabilities?: readonly string[], user = 0): string {
  const probe = program<null>({
    start: () => null,
    step(_, sys) {
      try {
        const result = run(sys);
        if (typeof result !== 'string') return result;
        sys.write(1, result);
      } catch (error) {
        if (!(error instanceof SystemError)) throw error;
        sys.write(1, error.code);
      }
      return exit(0);
    },
  });
  const tree = new FileTree('disk', DISK);
  const mount = { path: '/host', tree, readOnly: false, source: '/dev/vda1', type: 'ext4', options: ['rw'] };
  return runCommand({ probe, say }, ['probe'], {
    root: new FileTree('root', imageOf({ probe }, FILES)),
    mounts: [mount],
    systemRoots: ['/host'],
    user,
    ...(capabilities ? { capabilities } : {}),
  }).stdout;
}

const inside = (run: (sys: Syscalls) => string | typeof EXEC) => (sys: Syscalls) => {
  sys.chroot('/host');
  sys.chdir('/');
  return run(sys);
};

test.each<[string, (sys: Syscalls) => string | typeof EXEC, string]>([
  ['files are those of the new root', inside((sys) => read(sys, '/etc/name')), 'node'],
  ['links lead nowhere else', inside((sys) => read(sys, '/absolute')), 'node'],
  ['.. ends there', inside((sys) => read(sys, '/up')), 'ENOENT'],
  ['.. of a relative path ends there', inside((sys) => read(sys, '../../secret')), 'ENOENT'],
  ['the system is mounted there', inside((sys) => read(sys, '/proc/1/comm')), 'probe\n'],
  ['/proc/self/root names it', inside((sys) => sys.readLink('/proc/self/root')), '/host'],
  ['mounts are named below it', inside((sys) => sys.mounts().map((m) => m.path)[0] ?? ''), '/'],
  [
    'a root within a root',
    inside((sys) => {
      sys.chroot('/inner');
      return read(sys, '/etc/name');
    }),
    'inner',
  ],
  [
    'programs are found and run there',
    inside((sys) => {
      sys.chdir('/etc');
      sys.exec('/bin/say', ['say']);
      return EXEC;
    }),
    'node in /etc',
  ],
  [
    'the working directory stays below it',
    (sys) => {
      sys.chdir('/host/etc');
      sys.chroot('/host');
      return sys.cwd();
    },
    '/etc',
  ],
  [
    'a working directory outside becomes the root',
    (sys) => {
      sys.chdir('/etc');
      sys.chroot('/host');
      return sys.cwd();
    },
    '/',
  ],
  [
    'the root itself changes nothing',
    (sys) => {
      sys.chroot('/');
      return read(sys, '/etc/name');
    },
    'container',
  ],
  ['a file is no root', inside((sys) => (sys.chroot('/etc/name'), '')), 'ENOTDIR'],
  ['nothing is no root', inside((sys) => (sys.chroot('/none'), '')), 'ENOENT'],
])('%s', (_case, run, expected) => expect(outcome(run)).toBe(expected));

test.each([
  ['root without the capability', [], 0],
  ['another user', undefined, 1_000],
])('%s may not', (_case, capabilities, user) =>
  expect(outcome((sys) => (sys.chroot('/host'), 'done'), capabilities, user)).toBe('EPERM'),
);
