import { programs as text } from '../../text/index.js';
import { testCases } from '../../testing/run-tool.js';
import { programs } from '../index.js';

testCases({ ...text, ...programs }, [
  ['tac fruits', 'date\n\nBanana\napple\ncherry\napple\nbanana\n'],
  [
    'tac log',
    '2026-01-04 INFO done2026-01-03 error again\n2026-01-03 WARN slow query\n2026-01-02 INFO started\n2026-01-02 ERROR disk full\n',
  ],
  ['rev table', 'm01 3 gninnuR 1-bew\nm5 0 gnidneP 2-bew\nd2 21 gninnuR 0-bd\nh1 021 ffOkcaBpooLhsarC ehcac\n'],
  [
    'nl fruits',
    '     1\tbanana\n     2\tapple\n     3\tcherry\n     4\tapple\n     5\tBanana\n       \n     6\tdate\n',
  ],
  ["nl -ba -w3 -s': ' fruits", '  1: banana\n  2: apple\n  3: cherry\n  4: apple\n  5: Banana\n  6: \n  7: date\n'],
  ['paste fruits numbers', 'banana\t10\napple\t9\ncherry\t2.5\napple\t-3\nBanana\t100\n\t1K\ndate\t2M\n\t512\n'],
  ['paste -d, fruits numbers', 'banana,10\napple,9\ncherry,2.5\napple,-3\nBanana,100\n,1K\ndate,2M\n,512\n'],
  ['paste -s fruits', 'banana\tapple\tcherry\tapple\tBanana\t\tdate\n'],
  ['paste -sd, fruits', 'banana,apple,cherry,apple,Banana,,date\n'],
  ['seq 3 | paste - -', '1\t2\n3\t\n'],
  ['comm dir/one dir/two.txt', 'one\n\ttwo two\n'],
  ['seq 1 5 > x; seq 3 7 > y; comm x y', '1\n2\n\t\t3\n\t\t4\n\t\t5\n\t6\n\t7\n'],
  ['seq 1 5 > x; seq 3 7 > y; comm -12 x y', '3\n4\n5\n'],
  ['seq 1 5 > x; seq 3 7 > y; comm -3 x y', '1\n2\n\t6\n\t7\n'],
  [
    'sort table > x; sort table > y; join x y',
    'cache CrashLoopBackOff 120 1h CrashLoopBackOff 120 1h\ndb-0 Running 12 2d Running 12 2d\nweb-1 Running 3 10m Running 3 10m\nweb-2 Pending 0 5m Pending 0 5m\n',
  ],
  ['shuf -i 1-1', '1\n'],
]);
