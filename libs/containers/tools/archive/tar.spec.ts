import { expect, test } from '@jest/globals';
import { programs as coreutils } from '../coreutils/index.js';
import { testCases, TestMachine } from '../testing/run-tool.js';
import { programs as text } from '../text/index.js';
import { programs } from './index.js';

testCases({ ...coreutils, ...text, ...programs }, [
  ['tar -cf - fruits numbers | sha256sum', '75eb4f3234948646bbe9ccfee1d2cc9925b7c40e1cb2d8bf475fa2ac1b8c8e12  -\n'],
  ['tar -cvf a.tar fruits dir/one', 'fruits\ndir/one\n'],
  ['tar cf - fruits | tar xvf - -C dir; cat dir/fruits', 'fruits\nbanana\napple\ncherry\napple\nBanana\n\ndate\n'],
  ['tar czf a.tgz fruits; rm fruits; tar xf a.tgz; cat fruits', 'banana\napple\ncherry\napple\nBanana\n\ndate\n'],
  ['tar cf a.tar dir; tar xf a.tar --strip-components=1 -C dir; ls dir', 'one\nsub\ntwo.txt\n'],
  [
    'tar tvf nope',
    '',
    {
      stderr: 'tar: nope: Cannot open: No such file or directory\ntar: Error is not recoverable: exiting now\n',
      code: 2,
    },
  ],
  [
    'tar cf a.tar',
    '',
    {
      stderr:
        "tar: Cowardly refusing to create an empty archive\nTry 'tar --help' or 'tar --usage' for more information.\n",
      code: 2,
    },
  ],
  [
    'tar',
    '',
    {
      stderr:
        "tar: You must specify one of the '-Acdtrux', '--delete' or '--test-label' options\nTry 'tar --help' or 'tar --usage' for more information.\n",
      code: 2,
    },
  ],
  [
    'tar xf fruits',
    '',
    {
      stderr: 'tar: This does not look like a tar archive\ntar: Exiting with failure status due to previous errors\n',
      code: 2,
    },
  ],
  [
    'tar cf a.tar nope',
    '',
    {
      stderr:
        'tar: nope: Cannot stat: No such file or directory\ntar: Exiting with failure status due to previous errors\n',
      code: 2,
    },
  ],
  ['tar cf a.tar fruits; tar tvf a.tar', '-rw-r--r-- root/root        39 2026-01-02 03:04 fruits\n'],
  [
    'tar cf a.tar fruits; tar xf a.tar nope',
    '',
    { stderr: 'tar: nope: Not found in archive\ntar: Exiting with failure status due to previous errors\n', code: 2 },
  ],
  ['tar cf a.tar fruits; tar xOf a.tar fruits', 'banana\napple\ncherry\napple\nBanana\n\ndate\n'],
  [
    'tar xzf fruits',
    '',
    {
      stderr:
        '\ngzip: stdin: not in gzip format\ntar: Child returned status 1\ntar: Error is not recoverable: exiting now\n',
      code: 2,
    },
  ],
  ['tar cf - fruits | wc -c', '10240\n'],
  [
    'tar -C dir -cf - one | od -c | head -n 30',
    '0000000   o   n   e  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0\n0000020  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0\n*\n0000140  \\0  \\0  \\0  \\0   0   0   0   0   6   4   4  \\0   0   0   0   0\n0000160   0   0   0  \\0   0   0   0   0   0   0   0  \\0   0   0   0   0\n0000200   0   0   0   0   0   0   4  \\0   1   5   1   2   5   6   3   2\n0000220   6   4   5  \\0   0   1   0   2   6   3  \\0       0  \\0  \\0  \\0\n0000240  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0\n*\n0000400  \\0   u   s   t   a   r          \\0   r   o   o   t  \\0  \\0  \\0\n0000420  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0\n0000440  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0   r   o   o   t  \\0  \\0  \\0\n0000460  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0\n*\n0001000   o   n   e  \\n  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0\n0001020  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0\n*\n0024000\n',
  ],
]);

const tools = Object.fromEntries(
  Object.entries({ ...coreutils, ...programs })
    .filter(([name]) => !name.startsWith('busybox:'))
    .map(([name, program]) => [name.slice(name.indexOf(':') + 1), program]),
);
const LARGE = 'abcdefghijklmnop'.repeat(50_000);
const machine = () => new TestMachine(tools, { '/work/large': LARGE, '/work/dir/small': 'x\n' });

test('what is larger than a pipe goes through it in pieces', () => {
  const one = machine();
  const { stdout, stderr, code } = one.run('tar cf - large dir | tar xvf - -C /tmp');
  expect([stdout, stderr, code]).toEqual(['large\ndir/\ndir/small\n', '', 0]);
  expect(one.read('/tmp/large') === LARGE).toBe(true);
  expect(one.read('/tmp/dir/small')).toBe('x\n');
});

test.each(['cat a.tar | tar xzf - -C /tmp', 'tar xf a.tar -C /tmp'])('a packed archive, too: %s', (line) => {
  const one = machine();
  expect(one.run(`tar czf a.tar large; ${line}`)).toEqual({ stdout: '', stderr: '', code: 0 });
  expect(one.read('/tmp/large') === LARGE).toBe(true);
});

test('what was taken from an archive before its end is cut off stays', () => {
  const one = machine();
  const { stderr, code } = one.run('tar cf a.tar dir large; head -c 100000 a.tar | tar xf - -C /tmp');
  expect([stderr, code]).toEqual(['tar: Unexpected EOF in archive\ntar: Error is not recoverable: exiting now\n', 2]);
  expect(one.read('/tmp/dir/small')).toBe('x\n');
  expect(LARGE.startsWith(one.read('/tmp/large')!)).toBe(true);
});

test('an archive can be added to, and is not put into itself', () => {
  const one = machine();
  expect(one.run('tar cf a.tar dir; tar rf a.tar large; tar tf a.tar').stdout).toBe('dir/\ndir/small\nlarge\n');
  expect(one.run('tar cf dir/b.tar dir').stderr).toBe('tar: dir/b.tar: file is the archive; not dumped\n');
});

test('names come from a list in a pipe', () => {
  expect(machine().run('echo dir/small | tar cvf a.tar -T -').stdout).toBe('dir/small\n');
});
