import { programs as text } from '../../text/index.js';
import { testCases } from '../../testing/run-tool.js';
import { programs } from '../index.js';

testCases({ ...text, ...programs }, [['du -a -b dir/sub/three.txt', '12\tdir/sub/three.txt\n']]);
