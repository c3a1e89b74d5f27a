import { expect, test } from '@jest/globals';
import { runLine } from '../testing/run-line.js';
import { python } from './python.js';
import { runtimes } from './runtimes.js';

const tools = Object.fromEntries(
  Object.entries(runtimes).map(([name, tool]) => [name.slice(name.indexOf(':') + 1), tool]),
);
const run = (line: string) => runLine({ ...tools, python3: python }, line, { '/app.js': 'x' });

test.each([
  [
    'node /none.js 2>&1 | head -5',
    "node:internal/modules/cjs/loader:1386\n  throw err;\n  ^\n\nError: Cannot find module '/none.js'\n",
    0,
  ],
  ['java -jar app.jar 2>&1; echo $?', 'Error: Unable to access jarfile app.jar\n1\n', 0],
  ['ruby a.rb 2>&1; echo $?', 'ruby: No such file or directory -- a.rb (LoadError)\n1\n', 0],
  ['php a.php 2>&1; echo $?', 'Could not open input file: a.php\n1\n', 0],
  ['npm start >/dev/null 2>&1; echo $?', '254\n', 0],
  ['node /app.js 2>&1; echo $?', 'node: is not simulated here\n1\n', 0],
  ['node </dev/null; echo $?', '0\n', 0],
  ['python3 </dev/null; echo $?', '0\n', 0],
  ['echo 1 | node 2>&1; echo $?', 'node: is not simulated here\n1\n', 0],
  ['irb </dev/null', 'Switch to inspect mode.\n\n', 0],
])('%s', (line, stdout, code) => expect(run(line)).toMatchObject({ stdout, code }));
