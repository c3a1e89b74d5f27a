import { programs as text } from '../../text/index.js';
import { testCases } from '../../testing/run-tool.js';
import { programs } from '../index.js';

testCases({ ...text, ...programs }, [
  ['yes | head -n 3', 'y\ny\ny\n'],
  ['yes a b | head -n 2', 'a b\na b\n'],
  ['yes | head -n 3', 'y\ny\ny\n'],
  ['yes a b | head -n 2', 'a b\na b\n'],
]);
