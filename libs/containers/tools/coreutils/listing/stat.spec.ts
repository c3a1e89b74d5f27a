import { programs as text } from '../../text/index.js';
import { testCases } from '../../testing/run-tool.js';
import { programs } from '../index.js';

testCases({ ...text, ...programs }, [
  ["stat -c '%n %s %F' fruits dir empty", 'fruits 39 regular file\ndir 4096 directory\nempty 0 regular empty file\n'],
  ['stat -c %Y fruits', '1767323045\n'],
  ["stat -c '%y' fruits", '2026-01-02 03:04:05.000000000 +0000\n'],
  ["stat -c '%U:%G' fruits", 'root:root\n'],
  ['stat nope', '', { stderr: "stat: cannot statx 'nope': No such file or directory\n", code: 1 }],
  ['stat', '', { stderr: "stat: missing operand\nTry 'stat --help' for more information.\n", code: 1 }],
  ["stat --printf '%n\\n' fruits", 'fruits\n'],
]);
