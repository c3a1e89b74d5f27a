import { programs as text } from '../../text/index.js';
import { testCases } from '../../testing/run-tool.js';
import { programs } from '../index.js';

testCases({ ...text, ...programs }, [
  ['sort fruits | uniq -c', '      1 \n      1 Banana\n      2 apple\n      1 banana\n      1 cherry\n      1 date\n'],
  ['sort fruits | uniq -d', 'apple\n'],
  ['sort fruits | uniq -u', '\nBanana\nbanana\ncherry\ndate\n'],
  ['sort -f fruits | uniq -ic', '      1 \n      2 apple\n      2 Banana\n      1 cherry\n      1 date\n'],
  ['uniq -f 1 table', 'web-1 Running 3 10m\nweb-2 Pending 0 5m\ndb-0 Running 12 2d\ncache CrashLoopBackOff 120 1h\n'],
  ['uniq -D fruits', ''],
]);
