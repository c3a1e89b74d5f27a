import { programs as text } from '../../text/index.js';
import { testCases } from '../../testing/run-tool.js';
import { programs } from '../index.js';

testCases({ ...text, ...programs }, [
  [
    'fold -w 20 long',
    'the quick brown fox \njumps over the lazy \ndog and runs away fr\nom the very long sen\ntence which goes on \nand on until it ends\nshort\n',
  ],
  [
    'fold -s -w 20 long',
    'the quick brown fox \njumps over the lazy \ndog and runs away \nfrom the very long \nsentence which goes \non and on until it \nends\nshort\n',
  ],
  ['expand tabs', 'a       b       c\n1               3\n  x     y  \n'],
  ['expand -t4 tabs', 'a   b   c\n1       3\n  x y  \n'],
  ['unexpand -a tabs', 'a\tb\tc\n1\t\t3\n  x\ty  \n'],
]);
