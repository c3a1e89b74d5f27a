import { programs as text } from '../../text/index.js';
import { testCases } from '../../testing/run-tool.js';
import { programs } from '../index.js';

testCases({ ...text, ...programs }, [
  ['env -i A=1 B=2', 'A=1\nB=2\n'],
  ['env -i A=1 printenv A', '1\n'],
  ['env -u PATH nope', '', { stderr: "env: 'nope': No such file or directory\n", code: 127 }],
  ['env nope', '', { stderr: "env: 'nope': No such file or directory\n", code: 127 }],
  ['printenv NOPE', '', { stderr: '', code: 1 }],
  ['nice', '0\n'],
  ['chroot / pwd', '/\n'],
  ['chroot / nope', '', { stderr: "chroot: failed to run command 'nope': No such file or directory\n", code: 127 }],
  ['chroot', '', { stderr: "chroot: missing operand\nTry 'chroot --help' for more information.\n", code: 125 }],
  [
    'chroot dir ls',
    '',
    { stderr: "chroot: cannot change root directory to 'dir': Operation not permitted\n", code: 125 },
  ],
  ['chroot fruits', '', { stderr: "chroot: cannot change root directory to 'fruits': Not a directory\n", code: 125 }],
  [
    'chroot /none',
    '',
    { stderr: "chroot: cannot change root directory to '/none': No such file or directory\n", code: 125 },
  ],
]);
