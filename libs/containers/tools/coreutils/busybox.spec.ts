import { testCases } from '../testing/run-tool.js';
import { programs } from './index.js';

testCases(
  programs,
  [
    ['ls -l fruits', '-rw-r--r--    1 root     root            39 Jan  2  2026 fruits\n'],
    ['sort nope', '', { stderr: 'sort: nope: No such file or directory\n', code: 2 }],
    ['cat nope', '', { stderr: "cat: can't open 'nope': No such file or directory\n", code: 1 }],
    ['ls nope', '', { stderr: 'ls: nope: No such file or directory\n', code: 1 }],
    ['rm dir', '', { stderr: "rm: 'dir' is a directory\n", code: 1 }],
    ['mkdir dir', '', { stderr: "mkdir: can't create directory 'dir': File exists\n", code: 1 }],
  ],
  'busybox',
);
