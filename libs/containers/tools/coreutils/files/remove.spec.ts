import { programs as text } from '../../text/index.js';
import { testCases } from '../../testing.js';
import { programs } from '../index.js';

const REFUSAL = 'rm: -i and -I ask, which is not supported here; nothing was removed\n';
const TWICE = REFUSAL + REFUSAL;

testCases({ ...text, ...programs }, [
  ['rm fruits; ls fruits', '', { stderr: "ls: cannot access 'fruits': No such file or directory\n", code: 2 }],
  ['rm nope', '', { stderr: "rm: cannot remove 'nope': No such file or directory\n", code: 1 }],
  ['rm -f nope', ''],
  ['rm dir', '', { stderr: "rm: cannot remove 'dir': Is a directory\n", code: 1 }],
  ['rm -r dir; ls', 'a.json\nbin\nempty\nfruits\nlist.json\nlog\nlong\nnumbers\npasswd\ntable\ntabs\n'],
  ['rm -rf dir nope; ls', 'a.json\nbin\nempty\nfruits\nlist.json\nlog\nlong\nnumbers\npasswd\ntable\ntabs\n'],
  ['rm -v fruits', "removed 'fruits'\n"],
  ['rm', '', { stderr: "rm: missing operand\nTry 'rm --help' for more information.\n", code: 1 }],
  ['rm -f', ''],
  ['rm -i fruits; rm --interactive fruits; ls fruits', 'fruits\n', { stderr: TWICE, code: 0 }],
  ['rm -rI dir', '', { stderr: REFUSAL, code: 1 }],
  [
    'rm -I fruits; rm -if numbers; rm --interactive=never log; ls -1',
    'a.json\nbin\ndir\nempty\nlist.json\nlong\npasswd\ntable\ntabs\n',
  ],
  ['rm -rf .', '', { stderr: "rm: refusing to remove '.' or '..' directory: skipping '.'\n", code: 1 }],
  ['ln -s fruits l; readlink l; cat l; ls -F l', 'fruits\nbanana\napple\ncherry\napple\nBanana\n\ndate\nl@\n'],
  ['ln -s fruits l; ln -s numbers l', '', { stderr: "ln: failed to create symbolic link 'l': File exists\n", code: 1 }],
  ['ln -s fruits l; ln -sf numbers l; readlink l', 'numbers\n'],
  ["ln fruits h; stat -c '%h %s' h", '2 39\n'],
  ['ln nope h', '', { stderr: "ln: failed to access 'nope': No such file or directory\n", code: 1 }],
  ['ln dir h', '', { stderr: 'ln: dir: hard link not allowed for directory\n', code: 1 }],
  ['ln -sv fruits l', "'l' -> 'fruits'\n"],
]);
