import { programs as coreutils } from '../../coreutils/index.js';
import { testCases } from '../../testing/run-tool.js';
import { programs as text } from '../../text/index.js';
import { programs } from '../index.js';

testCases({ ...coreutils, ...text, ...programs }, [
  ['bzip2 fruits; ls fruits.bz2; bunzip2 fruits.bz2; head -1 fruits', 'fruits.bz2\nbanana\n'],
  ['bzip2 -k fruits; bzcat fruits.bz2 | head -1; bzip2 -t fruits.bz2', 'banana\n'],
  ['bzip2 < fruits | bzip2 -dc | cmp - fruits', ''],
  ['bunzip2 fruits', '', { stderr: 'bunzip2: fruits is not a bzip2 file.\n', code: 2 }],
  ['bzip2 nope', '', { stderr: "bzip2: Can't open input file nope: No such file or directory.\n", code: 1 }],
  ['bzip2 dir', '', { stderr: 'bzip2: Input file dir is a directory.\n', code: 1 }],
]);
