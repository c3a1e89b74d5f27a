import { programs as text } from '../../text/index.js';
import { testCases } from '../../testing/run-tool.js';
import { programs } from '../index.js';

testCases({ ...text, ...programs }, [
  ['cp -i fruits numbers; head -1 numbers', '10\n', { stderr: "cp: overwrite 'numbers'? ", code: 0 }],
  ['yes | cp -i fruits numbers; head -1 numbers', 'banana\n', { stderr: "cp: overwrite 'numbers'? ", code: 0 }],
  [
    'yes n | cp -iv fruits numbers dir; ls dir',
    "'fruits' -> 'dir/fruits'\n'numbers' -> 'dir/numbers'\nfruits\nnumbers\none\nsub\ntwo.txt\n",
  ],
  ['cp --update=none fruits numbers; head -1 numbers', '10\n'],
  ['cp --update=none fruits new; head -1 new', 'banana\n'],
  ['cp --update fruits numbers; cp -u fruits new; head -1 new', 'banana\n'],
  ['cp --update=none-fail fruits numbers', '', { stderr: "cp: not replacing 'numbers'\n", code: 1 }],
  [
    'cp --update=x fruits new',
    '',
    {
      stderr:
        "cp: invalid argument 'x' for '--update'\nValid arguments are:\n  - 'all'\n  - 'none'\n  - 'none-fail'\n  - 'older'\nTry 'cp --help' for more information.\n",
      code: 1,
    },
  ],
  ['cp -i fruits new; head -1 new', 'banana\n'],
  ['cp -in fruits numbers; head -1 numbers', '10\n'],
  ['mv -i fruits numbers; head -1 numbers', '10\n', { stderr: "mv: overwrite 'numbers'? ", code: 0 }],
  [
    'yes | mv -iv fruits numbers log dir/one; ls fruits',
    'fruits\n',
    { stderr: "mv: target 'dir/one' is not a directory\n", code: 0 },
  ],
  [
    'yes | mv -iv fruits numbers; cat fruits',
    "renamed 'fruits' -> 'numbers'\n",
    { stderr: "mv: overwrite 'numbers'? cat: fruits: No such file or directory\n", code: 1 },
  ],
  ['mv -if fruits numbers; head -1 numbers', 'banana\n'],
  ['cp fruits x; cat x', 'banana\napple\ncherry\napple\nBanana\n\ndate\n'],
  [
    'cp fruits',
    '',
    { stderr: "cp: missing destination file operand after 'fruits'\nTry 'cp --help' for more information.\n", code: 1 },
  ],
  ['cp', '', { stderr: "cp: missing file operand\nTry 'cp --help' for more information.\n", code: 1 }],
  ['cp nope x', '', { stderr: "cp: cannot stat 'nope': No such file or directory\n", code: 1 }],
  ['cp dir x', '', { stderr: "cp: -r not specified; omitting directory 'dir'\n", code: 1 }],
  ['cp -r dir x; ls -R x', 'x:\none\nsub\ntwo.txt\n\nx/sub:\nthree.txt\n'],
  ['cp -v fruits x', "'fruits' -> 'x'\n"],
  ['cp fruits numbers dir; ls dir', 'fruits\nnumbers\none\nsub\ntwo.txt\n'],
  ['cp fruits numbers nope', '', { stderr: "cp: target 'nope': No such file or directory\n", code: 1 }],
  ['cp fruits fruits', '', { stderr: "cp: 'fruits' and 'fruits' are the same file\n", code: 1 }],
  ['cp -a dir x; ls -1 x', 'one\nsub\ntwo.txt\n'],
  ['cp -r dir dir/sub', '', { stderr: "cp: cannot copy a directory, 'dir', into itself, 'dir/sub/dir'\n", code: 1 }],
  ['mv fruits x; ls x fruits', 'x\n', { stderr: "ls: cannot access 'fruits': No such file or directory\n", code: 2 }],
  ['mv nope x', '', { stderr: "mv: cannot stat 'nope': No such file or directory\n", code: 1 }],
  ['mv fruits dir; ls dir', 'fruits\none\nsub\ntwo.txt\n'],
  ['mv -v fruits x', "renamed 'fruits' -> 'x'\n"],
  ['mv fruits numbers x', '', { stderr: "mv: target 'x': No such file or directory\n", code: 1 }],
  ['mv dir dir/sub', '', { stderr: "mv: cannot move 'dir' to a subdirectory of itself, 'dir/sub/dir'\n", code: 1 }],
  ['install -m 600 fruits x; stat -c %a x', '600\n'],
  ['install -d a/b; ls -d a/b', 'a/b\n'],
]);
