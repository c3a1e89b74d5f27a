import { programs as coreutils } from '../coreutils/index.js';
import { expect, test } from '@jest/globals';
import { runLine } from '../testing/run-line.js';
import { testCases } from '../testing/run-tool.js';
import { xargs } from './xargs.js';
import { programs } from './index.js';

testCases({ ...coreutils, ...programs }, [
  ['echo a b c | xargs', 'a b c\n'],
  ['echo a b c | xargs -n 1 echo x', 'x a\nx b\nx c\n'],
  ['echo a b c | xargs -n2', 'a b\nc\n'],
  ['seq 3 | xargs -I{} echo item {}', 'item 1\nitem 2\nitem 3\n'],
  ['echo \'"a b" c\' | xargs -n1', 'a b\nc\n'],
  ['echo | xargs echo x', 'x\n'],
  ['echo | xargs -r echo x', ''],
  ['echo a | xargs nope', '', { stderr: 'xargs: nope: No such file or directory\n', code: 127 }],
  ['echo a | xargs false', '', { stderr: '', code: 123 }],
  ['seq 5 | xargs -L 2', '1 2\n3 4\n5\n'],
  ['seq 3 | xargs -P 2 -n 1 echo', '1\n2\n3\n'],
  ['echo a,b | xargs -d, echo', 'a b\n\n'],
  [
    'echo "it\'s" | xargs',
    '',
    {
      stderr: 'xargs: unmatched single quote; by default quotes are special to xargs unless you use the -0 option\n',
      code: 1,
    },
  ],
  ['seq 3 | xargs -p', '', { stderr: 'xargs: -p asks, which is not supported here; nothing was run\n', code: 1 }],
  ['seq 3 | xargs -t', '1 2 3\n', { stderr: 'echo 1 2 3\n', code: 0 }],
]);

test('a command that exits with 255 stops it', () => {
  const line = "printf '1\\n2\\n' | xargs -n1 sh -c 'exit 255'";
  const stderr = 'xargs: sh: exited with status 255; aborting\n';
  expect(runLine({ xargs }, line)).toEqual({ stdout: '', stderr, code: 124 });
});
