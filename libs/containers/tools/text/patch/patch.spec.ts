import { programs as coreutils } from '../../coreutils/index.js';
import { testCases } from '../../testing/run-tool.js';
import { programs } from '../index.js';

testCases({ ...coreutils, ...programs }, [
  ['diff -u --label a --label b fruits numbers > p; patch fruits p; cmp fruits numbers', 'patching file fruits\n'],
  [
    'diff -u --label a --label b fruits numbers > p; patch fruits p; patch fruits p; cat fruits.rej',
    'patching file fruits\npatching file fruits\nReversed (or previously applied) patch detected!  Assume -R? [n] \nApply anyway? [n] \nSkipping patch.\n1 out of 1 hunk ignored -- saving rejects to file fruits.rej\n--- a\n+++ b\n@@ -1,7 +1,8 @@\n-banana\n-apple\n-cherry\n-apple\n-Banana\n-\n-date\n+10\n+9\n+2.5\n+-3\n+100\n+1K\n+2M\n+512\n',
  ],
  [
    'sed s/cherry/C/ fruits > g; diff -u --label f --label g fruits g > p; echo z > z; cat z fruits > x; patch x p; cat x',
    'patching file x\nHunk #1 succeeded at 2 with fuzz 1 (offset 1 line).\nz\nbanana\napple\nC\napple\nBanana\n\ndate\n',
  ],
  [
    "sed 's/cherry/C/' fruits > g; diff -u --label f --label g fruits g > p; sed s/apple/A/ fruits > y; patch y p; cat y.rej",
    'patching file y\nHunk #1 FAILED at 1.\n1 out of 1 hunk FAILED -- saving rejects to file y.rej\n--- f\n+++ g\n@@ -1,6 +1,6 @@\n banana\n apple\n-cherry\n+C\n apple\n Banana\n \n',
  ],
  [
    "sed '2d;s/date/D/' fruits > g; diff fruits g > n; patch fruits n; cmp fruits g; patch -R fruits n; cat fruits",
    'patching file fruits\npatching file fruits\nbanana\napple\ncherry\napple\nBanana\n\ndate\n',
  ],
  [
    "sed '2d' fruits > g; diff fruits g > n; patch --dry-run fruits n; patch -b -s fruits n; cmp fruits g; head -n 2 fruits.orig",
    'checking file fruits\nbanana\napple\n',
  ],
  [
    "printf -- '--- nope\\n+++ nope2\\n@@ -1 +1 @@\\n-a\\n+b\\n' | patch -p0",
    "can't find file to patch at input line 3\nPerhaps you used the wrong -p or --strip option?\nThe text leading up to this was:\n--------------------------\n|--- nope\n|+++ nope2\n--------------------------\nFile to patch: \nSkip this patch? [y] \nSkipping patch.\n1 out of 1 hunk ignored\n",
    { stderr: '', code: 1 },
  ],
  [
    "printf -- '--- /dev/null\\n+++ b/new/file\\n@@ -0,0 +1,2 @@\\n+a\\n+b\\n' > p; patch -p1 < p; cat new/file; patch -R -p1 < p; ls new/file",
    'patching file new/file\na\nb\npatching file new/file\n',
    { stderr: "ls: cannot access 'new/file': No such file or directory\n", code: 2 },
  ],
  [
    "printf -- '--- a/fruits\\n+++ b/fruits\\n@@ -1,2 +1,2 @@\\n-banana\\n+kiwi\\n apple\\n--- a/log\\n+++ b/log\\n@@ -5 +5 @@\\n-2026-01-04 INFO done\\n\\\\ No newline at end of file\\n+end\\n' | patch -p1; head -n 1 fruits; tail -n 1 log",
    'patching file fruits\npatching file log\nkiwi\nend\n',
  ],
  [
    "printf -- '--- fruits\\n+++ fruits\\n@@ -2,3 +2,3 @@\\n x\\n-cherry\\n+kiwi\\n y\\n' | patch; tail -n 5 fruits",
    'patching file fruits\nHunk #1 succeeded at 2 with fuzz 1.\nkiwi\napple\nBanana\n\ndate\n',
  ],
  ['echo garbage | patch', '', { stderr: 'patch: **** Only garbage was found in the patch input.\n', code: 2 }],
  ['patch x nope', '', { stderr: "patch: **** Can't open patch file nope : No such file or directory\n", code: 2 }],
]);
testCases(
  { ...coreutils, ...programs },
  [
    ['diff -u -L a -L b fruits numbers > p; patch fruits p; cmp fruits numbers', 'patching file fruits\n'],
    [
      'diff -u -L a -L b fruits numbers > p; patch table p',
      'patching file table\n',
      {
        stderr:
          'Hunk 1 FAILED 1/1.\n-banana\n-apple\n-cherry\n-apple\n-Banana\n-\n-date\n+10\n+9\n+2.5\n+-3\n+100\n+1K\n+2M\n+512\n',
        code: 1,
      },
    ],
    [
      "printf -- '--- nope\\n+++ nope2\\n@@ -1 +1 @@\\n-a\\n+b\\n' | patch -p0",
      'patching file nope2\n',
      { stderr: "patch: can't open 'nope2': No such file or directory\n", code: 1 },
    ],
  ],
  'busybox',
);
