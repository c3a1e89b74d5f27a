import { programs as text } from '../../text/index.js';
import { testCases } from '../../testing/run-tool.js';
import { programs } from '../index.js';

testCases({ ...text, ...programs }, [
  ['cut -d: -f1,7 passwd', 'root:/bin/bash\ndaemon:/usr/sbin/nologin\nnginx:/bin/false\n'],
  [
    'cut -d: -f2- passwd',
    'x:0:0:root:/root:/bin/bash\nx:1:1:daemon:/usr/sbin:/usr/sbin/nologin\nx:101:101:nginx user:/nonexistent:/bin/false\n',
  ],
  ['cut -c1-5 fruits', 'banan\napple\ncherr\napple\nBanan\n\ndate\n'],
  ['cut -c -3,5 fruits', 'bann\nappe\ncher\nappe\nBann\n\ndat\n'],
  ["cut -d ' ' -f 2 -s fruits", ''],
  [
    'cut -d: -f1 --output-delimiter=, --complement passwd',
    'x,0,0,root,/root,/bin/bash\nx,1,1,daemon,/usr/sbin,/usr/sbin/nologin\nx,101,101,nginx user,/nonexistent,/bin/false\n',
  ],
  [
    'cut fruits',
    '',
    {
      stderr: "cut: you must specify a list of bytes, characters, or fields\nTry 'cut --help' for more information.\n",
      code: 1,
    },
  ],
  [
    'cut -f0 fruits',
    '',
    { stderr: "cut: fields are numbered from 1\nTry 'cut --help' for more information.\n", code: 1 },
  ],
  [
    'cut -f a fruits',
    '',
    { stderr: "cut: invalid field value 'a'\nTry 'cut --help' for more information.\n", code: 1 },
  ],
  [
    'cut -d ab -f1 fruits',
    '',
    { stderr: "cut: the delimiter must be a single character\nTry 'cut --help' for more information.\n", code: 1 },
  ],
  [
    'cut -f3-1 fruits',
    '',
    { stderr: "cut: invalid decreasing range\nTry 'cut --help' for more information.\n", code: 1 },
  ],
]);
