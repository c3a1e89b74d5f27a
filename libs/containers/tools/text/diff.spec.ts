import { programs as coreutils } from '../coreutils/index.js';
import { testCases } from '../testing/run-tool.js';
import { programs } from './index.js';

testCases({ ...coreutils, ...programs }, [
  ['diff fruits fruits', ''],
  ['diff dir/one dir/two.txt', '1c1\n< one\n---\n> two two\n', { stderr: '', code: 1 }],
  [
    'sort fruits > s; diff fruits s',
    '1c1,2\n< banana\n---\n> \n> Banana\n3d3\n< cherry\n5,6c5,6\n< Banana\n< \n---\n> banana\n> cherry\n',
    { stderr: '', code: 1 },
  ],
  [
    'diff -u --label a --label b fruits numbers',
    '--- a\n+++ b\n@@ -1,7 +1,8 @@\n-banana\n-apple\n-cherry\n-apple\n-Banana\n-\n-date\n+10\n+9\n+2.5\n+-3\n+100\n+1K\n+2M\n+512\n',
    { stderr: '', code: 1 },
  ],
  ['diff -q fruits numbers', 'Files fruits and numbers differ\n', { stderr: '', code: 1 }],
  ['diff fruits nope', '', { stderr: 'diff: nope: No such file or directory\n', code: 2 }],
  ['diff -i dir/one dir/one', ''],
  ['cp -r dir x; rm x/one; diff -r dir x', 'Only in dir: one\n', { stderr: '', code: 1 }],
  [
    'diff log table',
    '1,5c1,4\n< 2026-01-02 ERROR disk full\n< 2026-01-02 INFO started\n< 2026-01-03 WARN slow query\n< 2026-01-03 error again\n< 2026-01-04 INFO done\n\\ No newline at end of file\n---\n> web-1 Running 3 10m\n> web-2 Pending 0 5m\n> db-0 Running 12 2d\n> cache CrashLoopBackOff 120 1h\n',
    { stderr: '', code: 1 },
  ],
  ['diff -u --label x --label y empty dir/one', '--- x\n+++ y\n@@ -0,0 +1 @@\n+one\n', { stderr: '', code: 1 }],
  ['diff -s fruits fruits', 'Files fruits and fruits are identical\n'],
  ['cmp fruits numbers', 'fruits numbers differ: char 1, line 1\n', { stderr: '', code: 1 }],
  ['cmp fruits fruits', ''],
  ['cmp dir/one empty', '', { stderr: 'cmp: EOF on empty which is empty\n', code: 1 }],
  ['head -c 5 fruits > s; cmp fruits s', '', { stderr: 'cmp: EOF on s after byte 5, in line 1\n', code: 1 }],
  ['cmp -s fruits numbers', '', { stderr: '', code: 1 }],
  ['cmp nope fruits', '', { stderr: 'cmp: nope: No such file or directory\n', code: 2 }],
]);
