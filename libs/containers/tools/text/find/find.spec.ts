import { programs as coreutils } from '../../coreutils/index.js';
import { testCases } from '../../testing/run-tool.js';
import { programs } from '../index.js';

testCases({ ...coreutils, ...programs }, [
  ['find . -maxdepth 1 -type d', '.\n./dir\n'],
  ["find . -ok rm {} ';'", '', { stderr: 'find: -ok asks, which is not supported here\n', code: 1 }],
  ["find dir -iname 'ONE'", 'dir/one\n'],
  ["find dir '(' -name one -o -name sub ')' -print", 'dir/one\ndir/sub\n'],
  ["find dir -path '*sub*'", 'dir/sub\ndir/sub/three.txt\n'],
  ['find dir -size 0', ''],
  ['find dir -empty', ''],
  ["find . -empty -name 'e*'", './empty\n'],
  ['find dir -type f -delete; find dir', 'dir\ndir/sub\n'],
  ['find dir -mindepth 2', 'dir/sub/three.txt\n'],
  ['find nope', '', { stderr: "find: 'nope': No such file or directory\n", code: 1 }],
  ['find dir -foo', '', { stderr: "find: unknown predicate `-foo'\n", code: 1 }],
  ['find dir -name', '', { stderr: "find: missing argument to `-name'\n", code: 1 }],
  ['find dir -type x', '', { stderr: 'find: Unknown argument to -type: x\n', code: 1 }],
  ['find dir -perm -111', 'dir\ndir/sub\n'],
  ['find dir -newer fruits', ''],
  ["find dir -exec false ';' -print", ''],
  ["find dir -type f -exec grep -l two {} ';'", 'dir/two.txt\n'],
  ['find fruits dir/one', 'fruits\ndir/one\n'],
  [
    'find dir -maxdepth x',
    '',
    { stderr: "find: Expected a positive decimal integer argument to -maxdepth, but got 'x'\n", code: 1 },
  ],
  [
    "find dir -name '*.txt' -exec nope {} ';'",
    '',
    { stderr: "find: 'nope': No such file or directory\nfind: 'nope': No such file or directory\n", code: 0 },
  ],
  ['find dir -quit', ''],
  ['find dir -name x -o', '', { stderr: "find: expected an expression after '-o'\n", code: 1 }],
]);

testCases(
  programs,
  [
    ['find dir -name', '', { stderr: 'find: -name requires an argument\n', code: 1 }],
    ['find dir -mtime x', '', { stderr: "find: invalid number 'x'\n", code: 1 }],
    ['find dir -type d', 'dir\ndir/sub\n'],
  ],
  'busybox',
);
