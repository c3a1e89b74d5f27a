import { programs as text } from '../../text/index.js';
import { testCases } from '../../testing/run-tool.js';
import { programs } from '../index.js';

testCases({ ...text, ...programs }, [
  ['basename /a/b/c.txt', 'c.txt\n'],
  ['basename /a/b/c.txt .txt', 'c\n'],
  ['basename -a x/y z/w', 'y\nw\n'],
  ['basename /', '/\n'],
  ['basename', '', { stderr: "basename: missing operand\nTry 'basename --help' for more information.\n", code: 1 }],
  ['dirname /a/b/c', '/a/b\n'],
  ['dirname a', '.\n'],
  ['dirname /', '/\n'],
  ['readlink -f dir/../fruits | sed s,.*/,,', 'fruits\n'],
  ['readlink fruits', '', { stderr: '', code: 1 }],
  ['realpath nope/x', '', { stderr: 'realpath: nope/x: No such file or directory\n', code: 1 }],
]);
