import { programs as text } from '../../text/index.js';
import { testCases } from '../../testing/run-tool.js';
import { programs } from '../index.js';

testCases({ ...text, ...programs }, [
  ['cat fruits numbers', 'banana\napple\ncherry\napple\nBanana\n\ndate\n10\n9\n2.5\n-3\n100\n1K\n2M\n512\n'],
  [
    'cat -n fruits',
    '     1\tbanana\n     2\tapple\n     3\tcherry\n     4\tapple\n     5\tBanana\n     6\t\n     7\tdate\n',
  ],
  ['cat -b fruits', '     1\tbanana\n     2\tapple\n     3\tcherry\n     4\tapple\n     5\tBanana\n\n     6\tdate\n'],
  ['cat -A tabs bin', 'a^Ib^Ic$\n1^I^I3$\n  x^Iy  $\n^@^AabcM-^?M-~$\n^?^[[0m$\n'],
  ['cat -s -E fruits', 'banana$\napple$\ncherry$\napple$\nBanana$\n$\ndate$\n'],
  [
    'cat nope fruits',
    'banana\napple\ncherry\napple\nBanana\n\ndate\n',
    { stderr: 'cat: nope: No such file or directory\n', code: 1 },
  ],
  ['cat dir', '', { stderr: 'cat: dir: Is a directory\n', code: 1 }],
  ['cat -z', '', { stderr: "cat: invalid option -- 'z'\nTry 'cat --help' for more information.\n", code: 1 }],
  [
    'cat --nope',
    '',
    { stderr: "cat: unrecognized option '--nope'\nTry 'cat --help' for more information.\n", code: 1 },
  ],
]);
