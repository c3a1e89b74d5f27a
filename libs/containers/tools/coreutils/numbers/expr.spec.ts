import { programs as text } from '../../text/index.js';
import { testCases } from '../../testing/run-tool.js';
import { programs } from '../index.js';

testCases({ ...text, ...programs }, [
  ['expr 1 + 2', '3\n'],
  ["expr 3 '*' 4 - 1", '11\n'],
  ['expr 10 / 3', '3\n'],
  ['expr 10 % 3', '1\n'],
  ["expr 5 '>' 3", '1\n'],
  ['expr abc = abc', '1\n'],
  ["expr abc : 'a\\(.\\)c'", 'b\n'],
  ["expr abc : 'ab'", '2\n'],
  ['expr length hello', '5\n'],
  ['expr substr hello 2 3', 'ell\n'],
  ['expr index hello l', '3\n'],
  ['expr 1 / 0', '', { stderr: 'expr: division by zero\n', code: 2 }],
  ['expr a + 1', '', { stderr: 'expr: non-integer argument\n', code: 2 }],
  ['expr', '', { stderr: "expr: missing operand\nTry 'expr --help' for more information.\n", code: 2 }],
  ['expr 1 2', '', { stderr: "expr: syntax error: unexpected argument '2'\n", code: 2 }],
  ['expr 0', '0\n', { stderr: '', code: 1 }],
  ["expr '(' 1 + 2 ')' '*' 3", '9\n'],
  ['factor 12 97 360', '12: 2 2 3\n97: 97\n360: 2 2 2 3 3 5\n'],
]);
