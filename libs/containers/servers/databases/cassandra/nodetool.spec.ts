import { expect, test } from '@jest/globals';
import { runLine } from '../../../tools/testing/run-line.js';
import { programs } from './nodetool.js';

const run = (line: string) => runLine({ nodetool: programs['cassandra:nodetool']! }, line);

test('nodetool status shows the ring as the node knows it', () => {
  const { stdout, code } = run('CASSANDRA_DC=DC1 CASSANDRA_RACK=Rack1 nodetool status');
  expect(stdout).toMatch(
    /^Datacenter: DC1\n=+\nStatus=Up\/Down\n\|\/ State=Normal\/Leaving\/Joining\/Moving\n-- {2}Address +Load +Tokens +Owns/,
  );
  expect(code).toBe(0);
});

test.each([
  ['nodetool drain', '', 0],
  ['nodetool repair', 'nodetool: repair is not simulated here\n', 1],
])('%s', (line, stderr, code) => expect(run(line)).toEqual({ stdout: '', stderr, code }));
