import { programs as text } from '../../text/index.js';
import { testCases } from '../../testing/run-tool.js';
import { programs } from '../index.js';

testCases({ ...text, ...programs }, [
  ['echo hello | cat - fruits', 'hello\nbanana\napple\ncherry\napple\nBanana\n\ndate\n'],
  ['seq 5', '1\n2\n3\n4\n5\n'],
  ['seq 2 5', '2\n3\n4\n5\n'],
  ['seq 1 2 10', '1\n3\n5\n7\n9\n'],
  ['seq 5 -2 1', '5\n3\n1\n'],
  ['seq -w 8 11', '08\n09\n10\n11\n'],
  ['seq -s, 5', '1,2,3,4,5\n'],
  ['seq 0.5 0.5 2', '0.5\n1.0\n1.5\n2.0\n'],
  ['seq -f %03g 3', '001\n002\n003\n'],
  ['seq', '', { stderr: "seq: missing operand\nTry 'seq --help' for more information.\n", code: 1 }],
  [
    'seq x',
    '',
    { stderr: "seq: invalid floating point argument: 'x'\nTry 'seq --help' for more information.\n", code: 1 },
  ],
  ['seq 1 2 3 4', '', { stderr: "seq: extra operand '4'\nTry 'seq --help' for more information.\n", code: 1 }],
  ['seq 3 1', ''],
  ['echo -n hi', 'hi'],
  ["echo -e 'a\\tb\\n\\x41\\0101'", 'a\tb\nAA\n'],
  ["echo -e 'a\\cb'", 'a'],
  ['echo a  b', 'a b\n'],
  ['true', ''],
  ['false', '', { stderr: '', code: 1 }],
]);
