import { programs as coreutils } from '../coreutils/index.js';
import { testCases } from '../testing.js';
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
