import { expect, test } from '@jest/globals';
import { bytesOf } from '../../../../engine/kernel/bytes.js';
import { runLine } from '../../testing/run-line.js';
import { programs } from '../index.js';

const tools = { tree: programs['busybox:tree']!, ln: programs['busybox:ln']!, mkdir: programs['busybox:mkdir']! };

test('a tree with a link, an empty directory and hidden files', () => {
  const line =
    'cd /tmp; mkdir -p t/a/b t/c; printf x >t/a/b/y; printf x >t/z; printf x >t/.hidden; ln -s z t/l; tree t';
  expect(runLine(tools, line)).toEqual({
    stdout: bytesOf('t\n├── a\n│   └── b\n│       └── y\n├── c\n├── l -> z\n└── z\n\n3 directories, 3 files\n'),
    stderr: '',
    code: 0,
  });
});

test.each([
  ['tree nope', 'nope [error opening dir]\n\n0 directories, 0 files\n', 0],
  ['tree -L', '', 1],
])('%s', (line, stdout, code) => {
  const found = runLine(tools, line);
  expect([found.stdout, found.code]).toEqual([stdout, code]);
});
