import { expect, test } from '@jest/globals';
import { runLine } from '../testing/run-line.js';
import { defineTool } from '../framework/tool.js';
import { packFiles, unpackFiles } from './copy-files.js';

/** Packs $1 under the name $2, and unpacks what begins with $3 at $4. */
const roundTrip = defineTool((tool) => {
  const [from = '', name = '', prefix = '', to = ''] = tool.args;
  const warn = (line: string): void => tool.err(`${line}\n`);
  unpackFiles(tool.sys, packFiles(tool.sys, [[from, name]]), prefix, to, { warn, hint: 'tar' });
  return 0;
});
const FILES = { '/a/one': '1\n', '/a/b/two': '2\n', '/zeros': '\0'.repeat(2_000) };

test.each([
  ['copy /a x x /t; cat /t/one /t/b/two', '1\n2\n'],
  ['copy /a/one x x /new; cat /new', '1\n'],
  ['copy /zeros z z /z; wc -c < /z', '2000\n'],
])('%s', (line, stdout) => {
  expect(runLine({ copy: roundTrip }, line, FILES).stdout).toBe(stdout);
});
