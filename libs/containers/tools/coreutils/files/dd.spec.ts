import { programs as text } from '../../text/index.js';
import { testCases } from '../../testing/run-tool.js';
import { programs } from '../index.js';

testCases({ ...text, ...programs }, [
  ['dd if=nope', '', { stderr: "dd: failed to open 'nope': No such file or directory\n", code: 1 }],
  ['dd foo=1', '', { stderr: "dd: unrecognized operand 'foo=1'\nTry 'dd --help' for more information.\n", code: 1 }],
  ['dd if=fruits bs=4 count=2 status=none', 'banana\na'],
  ['dd if=fruits bs=4 skip=1 count=1 status=none', 'na\na'],
]);
