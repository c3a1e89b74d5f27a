import { programs as text } from '../../text/index.js';
import { testCases } from '../../testing/run-tool.js';
import { programs } from '../index.js';

testCases({ ...text, ...programs }, [
  ['sort fruits', '\nBanana\napple\napple\nbanana\ncherry\ndate\n'],
  ['sort -r fruits', 'date\ncherry\nbanana\napple\napple\nBanana\n\n'],
  ['sort -u fruits', '\nBanana\napple\nbanana\ncherry\ndate\n'],
  ['sort -f fruits', '\napple\napple\nBanana\nbanana\ncherry\ndate\n'],
  ['sort -n numbers', '-3\n1K\n2M\n2.5\n9\n10\n100\n512\n'],
  ['sort -h numbers', '-3\n2.5\n9\n10\n100\n512\n1K\n2M\n'],
  ['sort -rn numbers', '512\n100\n10\n9\n2.5\n2M\n1K\n-3\n'],
  ['sort -k3 -n table', 'web-2 Pending 0 5m\nweb-1 Running 3 10m\ndb-0 Running 12 2d\ncache CrashLoopBackOff 120 1h\n'],
  [
    'sort -k2,2 -k3nr table',
    'cache CrashLoopBackOff 120 1h\nweb-2 Pending 0 5m\ndb-0 Running 12 2d\nweb-1 Running 3 10m\n',
  ],
  [
    'sort -t: -k3 -n -r passwd',
    'nginx:x:101:101:nginx user:/nonexistent:/bin/false\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\nroot:x:0:0:root:/root:/bin/bash\n',
  ],
  [
    'sort -t: -k1.2 passwd',
    'daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\nnginx:x:101:101:nginx user:/nonexistent:/bin/false\nroot:x:0:0:root:/root:/bin/bash\n',
  ],
  ['sort -c fruits', '', { stderr: 'sort: fruits:2: disorder: apple\n', code: 1 }],
  ['sort -c numbers nope', '', { stderr: "sort: extra operand 'nope' not allowed with -c\n", code: 2 }],
  ['sort nope', '', { stderr: 'sort: cannot read: nope: No such file or directory\n', code: 2 }],
  ['sort -V numbers', '1K\n2M\n2.5\n9\n10\n100\n512\n-3\n'],
  ['sort -k 0 table', '', { stderr: "sort: field number is zero: invalid field specification '0'\n", code: 2 }],
  [
    'sort -s -k2,2 table',
    'cache CrashLoopBackOff 120 1h\nweb-2 Pending 0 5m\nweb-1 Running 3 10m\ndb-0 Running 12 2d\n',
  ],
  ['sort -o out fruits; cat out', '\nBanana\napple\napple\nbanana\ncherry\ndate\n'],
]);
