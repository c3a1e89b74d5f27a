import { programs as text } from '../../text/index.js';
import { testCases } from '../../testing/run-tool.js';
import { programs } from '../index.js';

testCases({ ...text, ...programs }, [
  ['wc fruits', ' 7  6 39 fruits\n'],
  ['wc -l fruits', '7 fruits\n'],
  ['wc -l fruits numbers', ' 7 fruits\n 8 numbers\n15 total\n'],
  [
    'wc fruits numbers nope',
    ' 7  6 39 fruits\n 8  8 26 numbers\n15 14 65 total\n',
    { stderr: 'wc: nope: No such file or directory\n', code: 1 },
  ],
  ['cat fruits | wc', '      7       6      39\n'],
  ['cat fruits | wc -l', '7\n'],
  ['wc -c -L long', '127 120 long\n'],
  [
    'wc -w fruits dir',
    '      6 fruits\n      0 dir\n      6 total\n',
    { stderr: 'wc: dir: Is a directory\n', code: 1 },
  ],
]);
