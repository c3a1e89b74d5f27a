import { programs as coreutils } from '../coreutils/index.js';
import { testCases } from '../testing/run-tool.js';
import { programs } from './index.js';

testCases({ ...coreutils, ...programs }, [
  ['which nope', '', { stderr: '', code: 1 }],
  [
    'column -t table',
    'web-1  Running           3    10m\nweb-2  Pending           0    5m\ndb-0   Running           12   2d\ncache  CrashLoopBackOff  120  1h\n',
  ],
  [
    'column -t -s: passwd',
    'root    x  0    0    root        /root         /bin/bash\ndaemon  x  1    1    daemon      /usr/sbin     /usr/sbin/nologin\nnginx   x  101  101  nginx user  /nonexistent  /bin/false\n',
  ],
  ['strings -n 3 bin', 'abc\n[0m\n'],
]);
