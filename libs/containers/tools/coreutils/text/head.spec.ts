import { programs as text } from '../../text/index.js';
import { testCases } from '../../testing/run-tool.js';
import { programs } from '../index.js';

testCases({ ...text, ...programs }, [
  ['head -n 2 fruits', 'banana\napple\n'],
  ['head -3 fruits', 'banana\napple\ncherry\n'],
  ['head -n 1 fruits numbers', '==> fruits <==\nbanana\n\n==> numbers <==\n10\n'],
  ['head -c 5 fruits', 'banan'],
  ['head -n -5 fruits', 'banana\napple\n'],
  ['head -c -40 table', 'web-1 Running 3 10m\nweb-2 Pending 0 5m\ndb-0 Runn'],
  ['head -q -n1 fruits table', 'banana\nweb-1 Running 3 10m\n'],
  ['head nope', '', { stderr: "head: cannot open 'nope' for reading: No such file or directory\n", code: 1 }],
  ['head -n x fruits', '', { stderr: "head: invalid number of lines: 'x'\n", code: 1 }],
  ['head -n -5 fruits', 'banana\napple\n'],
]);
