import { programs as text } from '../../text/index.js';
import { testCases } from '../../testing/run-tool.js';
import { programs } from '../index.js';

testCases({ ...text, ...programs }, [
  ['seq 1 99999999999999999999 | head -2', '1\n2\n'],
  ['seq 99999999999999999998 99999999999999999999', '99999999999999999998\n99999999999999999999\n'],
  ['seq inf | head -n 3', '1\n2\n3\n'],
  ['seq 20000 | tail -n 1', '20000\n'],
  ['seq -w -1 1', '-1\n00\n01\n'],
  ['seq 0 0.1 0.3', '0.0\n0.1\n0.2\n0.3\n'],
  ['seq 1e-3 1e-3 2e-3', '0.001\n0.002\n'],
  ['seq 3 -1 1', '3\n2\n1\n'],
  ['seq -s , 3', '1,2,3\n'],
  ['seq -f x 3', '', { stderr: "seq: format 'x' has no % directive\n", code: 1 }],
  [
    'seq 1 0 3',
    '',
    { stderr: "seq: invalid Zero increment value: '0'\nTry 'seq --help' for more information.\n", code: 1 },
  ],
]);
