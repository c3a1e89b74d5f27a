import { describe, expect, test } from '@jest/globals';
import { SystemError } from '../errno.js';
import type { FileNode, ImageFiles } from '../files/file.js';
import { FileTree } from '../files/tree.js';
import { exit, sleepUntil } from '../process/program.js';
import type { OpenFlags, Syscalls } from '../process/syscalls.js';
import { imageOf, program, runCommand } from '../testing.js';

const owner = (user: number, mode: number) => ({ mode, user, group: user, modified: 5 });
const file = (user: number, mode: number, content = ''): FileNode => ({ type: 'file', ...owner(user, mode), content });
const link = (target: string): FileNode => ({ type: 'link', ...owner(0, 0o777), target });

const FILES: ImageFiles = {
  '/secret': file(0, 0o600, 'secret'),
  '/hidden': { type: 'directory', ...owner(0, 0o700) },
  '/hidden/file': file(0, 0o644),
  '/own': { type: 'directory', ...owner(1_000, 0o755) },
  '/own/file': file(1_000, 0o400, 'own'),
  '/links/loop': link('loop2'),
  '/links/loop2': link('/links/loop'),
  '/links/relative': link('../own/file'),
  '/links/dangling': link('/nowhere'),
  '/links/dir': link('/own'),
  '/tmp/rooted': file(0, 0o666),
  '/usr/lib/os': file(0, 0o644, 'os'),
  '/lib': link('usr/lib'),
};

const makeMounts = () => [
  mountOf('/data', new FileTree('data', { '/': { type: 'directory', ...owner(1_000, 0o777) } }), false),
  mountOf('/config', new FileTree('config', { '/key': file(0, 0o644, 'value') }), true),
  { ...mountOf('/own/file2', new FileTree('sub', { '/a/b': file(0, 0o644, 'sub') }), false), subPath: 'a/b' },
  mountOf('/lib/mounted/deep', new FileTree('deep', { '/x': file(0, 0o644, 'x') }), false),
];

function mountOf(path: string, tree: FileTree, readOnly: boolean) {
  return { path, tree, readOnly, source: '/dev/vda1', type: 'ext4', options: [readOnly ? 'ro' : 'rw'] };
}

/** The error or the result of calls of a process, as text. */
function outcome(user: number, run: (sys: Syscalls) => unknown, readOnlyRoot = false): string {
  const probe = program<null>({
    start: () => null,
    step(_, sys) {
      try {
        const result = run(sys);
        sys.write(1, typeof result === 'string' ? result : (JSON.stringify(result) ?? 'ok'));
      } catch (error) {
        if (!(error instanceof SystemError)) throw error;
        sys.write(1, error.code);
      }
      return exit(0);
    },
  });
  const root = new FileTree('root', imageOf({ probe }, FILES));
  return runCommand({ probe }, ['probe'], { root, mounts: makeMounts(), user, group: user, readOnlyRoot }).stdout;
}

const read = (path: string) => (sys: Syscalls) => sys.read(sys.open(path, { read: true }));
const open = (path: string, flags: OpenFlags) => (sys: Syscalls) => {
  sys.open(path, flags);
};

describe.each<[string, (sys: Syscalls) => unknown, { root?: string; user?: string }]>([
  ['a secret', read('/secret'), { root: 'secret', user: 'EACCES' }],
  ['a file in a folder of others', (sys) => sys.stat('/hidden/file').mode, { root: '420', user: 'EACCES' }],
  ['an own file', read('/own/file'), { root: 'own', user: 'own' }],
  ['to write an own read-only file', open('/own/file', { write: true }), { root: 'ok', user: 'EACCES' }],
  ['a new file in an own folder', open('/own/new', { write: true, create: true }), { root: 'ok', user: 'ok' }],
  ['a new file elsewhere', open('/new', { write: true, create: true }), { root: 'ok', user: 'EACCES' }],
  ['a relative link', read('/links/relative'), { root: 'own' }],
  ['a loop of links', read('/links/loop'), { root: 'ELOOP' }],
  ['a dangling link', read('/links/dangling'), { root: 'ENOENT' }],
  ['a file as a folder', read('/own/file/x'), { root: 'ENOTDIR' }],
  ['a file with a slash', read('/own/file/'), { root: 'ENOTDIR' }],
  ['a folder to be read', read('/own'), { root: 'EISDIR' }],
  ['a folder to be written', open('/own', { write: true }), { root: 'EISDIR' }],
  ['what exists, exclusively', open('/secret', { write: true, create: true, exclusive: true }), { root: 'EEXIST' }],
  ['a name that is too long', open(`/${'x'.repeat(256)}`, { write: true, create: true }), { root: 'ENAMETOOLONG' }],
  ['through .. and links', read('/links/dir/../usr/lib/os'), { root: 'os' }],
  ['realpath', (sys) => sys.realPath('/lib/../../links/dir/file'), { root: '/own/file' }],
  ['read-only volume', open('/config/key', { write: true }), { root: 'EROFS', user: 'EROFS' }],
  ['new file in a read-only volume', open('/config/new', { write: true, create: true }), { root: 'EROFS' }],
  ['a volume for all', open('/data/new', { write: true, create: true }), { root: 'ok', user: 'ok' }],
  ['a mounted file', read('/own/file2'), { root: 'sub' }],
  ['a mount behind a link, at a point that is made', read('/usr/lib/mounted/deep/x'), { root: 'x' }],
  ['names with mount points', (sys) => sys.readDirectory('/own'), { root: '["file","file2"]' }],
  ['rename over mounts', (sys) => sys.rename('/secret', '/data/s'), { root: 'EXDEV' }],
  ['rename into itself', (sys) => sys.rename('/own', '/own/x'), { root: 'EINVAL' }],
  ['removal of a mount point', (sys) => sys.removeDirectory('/data'), { root: 'EBUSY' }],
  ['removal of a full folder', (sys) => sys.removeDirectory('/hidden'), { root: 'ENOTEMPTY' }],
  ['unlink of a folder', (sys) => sys.unlink('/own'), { root: 'EISDIR' }],
  ['hard link of a folder', (sys) => sys.link('/own', '/x'), { root: 'EPERM' }],
  ['sticky /tmp', (sys) => sys.unlink('/tmp/rooted'), { root: 'ok', user: 'EPERM' }],
  ['chmod of others', (sys) => sys.chmod('/secret', 0o777), { root: 'ok', user: 'EPERM' }],
  ['chown', (sys) => sys.chown('/own/file', 5, 6), { root: 'ok', user: 'EPERM' }],
  ['a device', (sys) => sys.makeNode('/tmp/d', 'char', 0o600, [1, 3]), { root: 'ok', user: 'EPERM' }],
  ['access', (sys) => ['r', 'w', 'x'].map((mode) => sys.access('/own/file', mode)), { user: '[true,false,false]' }],
  ['umask', (sys) => [sys.umask(0o77), sys.stat(create(sys, '/tmp/f')).mode.toString(8)], { root: '[18,"600"]' }],
  ['pwd after cd', (sys) => [sys.chdir('/links/dir'), sys.cwd()], { root: '[null,"/own"]' }],
  ['cd into a file', (sys) => sys.chdir('/secret'), { root: 'ENOTDIR' }],
])('%s', (_, run, expected) => {
  test.each(Object.entries(expected))('as %s', (name, text) => {
    expect(outcome(name === 'root' ? 0 : 1_000, run)).toBe(text);
  });
});

function create(sys: Syscalls, path: string): string {
  sys.close(sys.open(path, { write: true, create: true }));
  return path;
}

test('a read-only root', () => {
  expect(outcome(0, open('/new', { write: true, create: true }), true)).toBe('EROFS');
  expect(outcome(0, open('/data/more', { write: true, create: true }), true)).toBe('ok');
});

test('root without CAP_DAC_OVERRIDE is bound by modes', () => {
  const probe = program<null>({
    start: () => null,
    step: (_, sys) => exit(sys.access('/own/file', 'r') ? 0 : 1),
  });
  const root = new FileTree('root', imageOf({ probe }, FILES));
  expect(runCommand({ probe }, ['probe'], { root, capabilities: [] }).code).toBe(1);
});

test('what stat says', () => {
  const stat = JSON.parse(outcome(0, (sys) => sys.stat('/own/file')));
  expect(stat).toMatchObject({ type: 'file', mode: 0o400, user: 1_000, size: 3, links: 1, modified: 5, blocks: 8 });
});

test('a shared offset: a fork reads on where its parent was', () => {
  const reader = program<{ descriptor: number; isChild: boolean }>({
    start: (_, sys) => ({ descriptor: sys.open('/usr/lib/os', { read: true }), isChild: false }),
    step(state, sys) {
      if (state.isChild) {
        sys.write(1, sys.read(state.descriptor, 1)!);
        return exit(0);
      }
      sys.write(1, sys.read(state.descriptor, 1)!);
      sys.fork({ ...state, isChild: true });
      return exit(0);
    },
  });
  const parent = program<{ pid: number }>({
    start: (_, sys) => ({ pid: sys.spawn({ path: '/bin/reader', argv: ['reader'] }) }),
    step: (_, sys) => sleepUntil(sys.now + 1_000_000),
  });
  const root = new FileTree('root', imageOf({ reader, parent }, FILES));
  const { machine } = runCommand({ reader, parent }, ['parent'], { root });
  expect(machine.state.containers.get('c1')!.log.pending.stdout).toBe('os');
});
