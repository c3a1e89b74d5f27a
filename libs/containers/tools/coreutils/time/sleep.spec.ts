import { programs as text } from '../../text/index.js';
import { testCases } from '../../testing/run-tool.js';
import { programs } from '../index.js';

testCases({ ...text, ...programs }, [
  ['timeout 5 echo hi', 'hi\n'],
  [
    'timeout x echo',
    '',
    { stderr: "timeout: invalid time interval 'x'\nTry 'timeout --help' for more information.\n", code: 125 },
  ],
  ['timeout 1 sleep 5', '', { stderr: '', code: 124 }],
  ['timeout', '', { stderr: "Try 'timeout --help' for more information.\n", code: 125 }],
  ['timeout 1 nope', '', { stderr: "timeout: failed to run command 'nope': No such file or directory\n", code: 127 }],
  ['sleep', '', { stderr: "sleep: missing operand\nTry 'sleep --help' for more information.\n", code: 1 }],
  ['sleep x', '', { stderr: "sleep: invalid time interval 'x'\nTry 'sleep --help' for more information.\n", code: 1 }],
  ['sleep 0.1', ''],
  ['timeout -v 1 sleep 5', '', { stderr: "timeout: sending signal TERM to command 'sleep'\n", code: 124 }],
]);
