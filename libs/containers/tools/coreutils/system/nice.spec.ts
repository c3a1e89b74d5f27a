import { expect, test } from '@jest/globals';
import { DEFAULT_CAPABILITIES } from '../../../../engine/kernel/container.js';
import { runLine } from '../../testing/run-line.js';
import { programs } from '../index.js';

const DENIED = 'nice: cannot set niceness: Permission denied\n';

test.each([
  ['coreutils', 'nice -n -20 echo hi', 'hi\n', DENIED, 0],
  ['busybox', 'nice -n -20 echo hi', '', 'nice: setpriority(-20): Permission denied\n', 1],
  ['coreutils', 'nice -n 5 echo hi', 'hi\n', '', 0],
])('%s: %s', (flavour, line, stdout, stderr, code) =>
  expect(runLine({ nice: programs[`${flavour}:nice`]! }, line)).toEqual({ stdout, stderr, code }),
);

test('with CAP_SYS_NICE', () => {
  const fields = { capabilities: [...DEFAULT_CAPABILITIES, 'SYS_NICE'] };
  expect(runLine({ nice: programs['coreutils:nice']! }, 'nice -n -5 echo hi', {}, fields).stderr).toBe('');
});
