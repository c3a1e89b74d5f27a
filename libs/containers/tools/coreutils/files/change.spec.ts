import { programs as text } from '../../text/index.js';
import { testCases } from '../../testing/run-tool.js';
import { programs } from '../index.js';

testCases({ ...text, ...programs }, [
  ["chmod 600 fruits; stat -c '%a %A' fruits", '600 -rw-------\n'],
  ["chmod u+x,go-r fruits; stat -c '%a %A' fruits", '700 -rwx------\n'],
  ['chmod a=r fruits; stat -c %A fruits', '-r--r--r--\n'],
  ['chmod -x fruits; stat -c %A fruits', '-rw-r--r--\n'],
  ['chmod +x fruits; stat -c %A fruits', '-rwxr-xr-x\n'],
  ["chmod -R go-rwx dir; stat -c '%a %n' dir dir/one", '700 dir\n600 dir/one\n'],
  ["chmod 1777 dir; stat -c '%a %A' dir", '1777 drwxrwxrwt\n'],
  ["chmod u+s,g+s fruits; stat -c '%a %A' fruits", '6644 -rwSr-Sr--\n'],
  [
    'chmod foo fruits',
    '',
    { stderr: "chmod: invalid mode: 'foo'\nTry 'chmod --help' for more information.\n", code: 1 },
  ],
  ['chmod 600 nope', '', { stderr: "chmod: cannot access 'nope': No such file or directory\n", code: 1 }],
  [
    'chmod 600',
    '',
    { stderr: "chmod: missing operand after '600'\nTry 'chmod --help' for more information.\n", code: 1 },
  ],
  ['chmod -v 600 fruits', "mode of 'fruits' changed from 0644 (rw-r--r--) to 0600 (rw-------)\n"],
  ['chmod g=u fruits; stat -c %a fruits', '664\n'],
]);
