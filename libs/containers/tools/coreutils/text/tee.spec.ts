import { programs as text } from '../../text/index.js';
import { testCases } from '../../testing/run-tool.js';
import { programs } from '../index.js';

testCases({ ...text, ...programs }, [
  ['tee x < dir/one; cat x', 'one\none\n'],
  ['tee dir < dir/one', 'one\n', { stderr: 'tee: dir: Is a directory\n', code: 1 }],
]);
