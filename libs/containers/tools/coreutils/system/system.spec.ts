import { programs as text } from '../../text/index.js';
import { testCases } from '../../testing/run-tool.js';
import { programs } from '../index.js';

testCases({ ...text, ...programs }, [
  ['id -u', '0\n'],
  ['whoami', 'root\n'],
  ['id nobody_x', '', { stderr: "id: 'nobody_x': no such user\n", code: 1 }],
  ['uname', 'Linux\n'],
  [
    'nproc --all --foo',
    '',
    { stderr: "nproc: unrecognized option '--foo'\nTry 'nproc --help' for more information.\n", code: 1 },
  ],
  ['sync', ''],
  ['tty', 'not a tty\n', { stderr: '', code: 1 }],
]);
