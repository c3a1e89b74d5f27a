import { programs as text } from '../../text/index.js';
import { testCases } from '../../testing/run-tool.js';
import { programs } from '../index.js';

testCases({ ...text, ...programs }, [
  ['touch new; ls -1 new', 'new\n'],
  ['touch a/b/c', '', { stderr: "touch: cannot touch 'a/b/c': No such file or directory\n", code: 1 }],
  ['touch', '', { stderr: "touch: missing file operand\nTry 'touch --help' for more information.\n", code: 1 }],
  ['mkdir x; ls -d x', 'x\n'],
  ['mkdir x; mkdir x', '', { stderr: "mkdir: cannot create directory 'x': File exists\n", code: 1 }],
  ['mkdir a/b', '', { stderr: "mkdir: cannot create directory 'a/b': No such file or directory\n", code: 1 }],
  ['mkdir -p a/b/c; ls -R a', 'a:\nb\n\na/b:\nc\n\na/b/c:\n'],
  ['mkdir -v x', "mkdir: created directory 'x'\n"],
  ['mkdir -m 700 x; stat -c %a x', '700\n'],
  ['mkdir', '', { stderr: "mkdir: missing operand\nTry 'mkdir --help' for more information.\n", code: 1 }],
  ['rmdir dir', '', { stderr: "rmdir: failed to remove 'dir': Directory not empty\n", code: 1 }],
  ['rmdir nope', '', { stderr: "rmdir: failed to remove 'nope': No such file or directory\n", code: 1 }],
  [
    'mkdir -p a/b; rmdir -p a/b; ls -d a',
    '',
    { stderr: "ls: cannot access 'a': No such file or directory\n", code: 2 },
  ],
  ['mktemp nope', '', { stderr: "mktemp: too few X's in template 'nope'\n", code: 1 }],
  ['truncate -s 5 fruits; cat fruits', 'banan'],
  ['fallocate -l 2K room; wc -c room; fallocate -l 1K room; wc -c room', '2048 room\n2048 room\n'],
  ['truncate -s +3 empty; wc -c empty', '3 empty\n'],
  [
    'truncate fruits',
    '',
    {
      stderr:
        "truncate: you must specify either '--size' or '--reference'\nTry 'truncate --help' for more information.\n",
      code: 1,
    },
  ],
  ['mkfifo p; ls -F p', 'p|\n'],
]);
