import { programs as text } from '../../text/index.js';
import { testCases } from '../../testing/run-tool.js';
import { programs } from '../index.js';

const EACH =
  "rm: descend into directory 'dir'? rm: remove regular file 'dir/.hidden'? rm: remove regular file 'dir/one'? " +
  "rm: descend into directory 'dir/sub'? rm: remove regular file 'dir/sub/three.txt'? " +
  "rm: remove directory 'dir/sub'? rm: remove regular file 'dir/two.txt'? rm: remove directory 'dir'? ";

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
  ['rm -i fruits; ls fruits', 'fruits\n', { stderr: "rm: remove regular file 'fruits'? ", code: 0 }],
  ['echo n | rm -i empty', '', { stderr: "rm: remove regular empty file 'empty'? ", code: 0 }],
  [
    'yes | rm -ri dir; ls -d dir',
    '',
    { stderr: `${EACH}ls: cannot access 'dir': No such file or directory\n`, code: 2 },
  ],
  ['seq 3 | rm -rI dir; ls dir', 'one\nsub\ntwo.txt\n', { stderr: 'rm: remove 1 argument recursively? ', code: 0 }],
  [
    'yes | rm -I fruits log long empty; ls fruits',
    '',
    {
      stderr: "rm: remove 4 arguments? ls: cannot access 'fruits': No such file or directory\n",
      code: 2,
    },
  ],
  ['yes | ln -si fruits log; readlink log', 'fruits\n', { stderr: "ln: replace 'log'? ", code: 0 }],
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

testCases(
  { ...text, ...programs },
  [
    [
      'yes | rm -i fruits numbers; ls fruits',
      '',
      {
        stderr: "rm: remove 'fruits'? rm: remove 'numbers'? ls: fruits: No such file or directory\n",
        code: 1,
      },
    ],
  ],
  'busybox',
);
