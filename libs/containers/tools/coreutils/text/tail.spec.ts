import { programs as text } from '../../text/index.js';
import { testCases } from '../../testing/run-tool.js';
import { programs } from '../index.js';

testCases({ ...text, ...programs }, [
  ['tail -n 2 fruits', '\ndate\n'],
  ['tail -2 fruits', '\ndate\n'],
  ['tail -n +6 fruits', '\ndate\n'],
  ['tail -c 5 fruits', 'date\n'],
  ['tail -c +40 fruits', ''],
  ['tail -n 1 fruits numbers', '==> fruits <==\ndate\n\n==> numbers <==\n512\n'],
  ['tail nope', '', { stderr: "tail: cannot open 'nope' for reading: No such file or directory\n", code: 1 }],
  ['cat fruits | tail -n 2', '\ndate\n'],
  ['tail -n 0 fruits', ''],
]);
