import { expect, test } from '@jest/globals';
import { runLine } from '../testing/run-line.js';
import { programs, UNSIMULATED } from './unsimulated.js';

test('it says that it is not simulated, and fails', () => {
  const outcome = { stdout: '', stderr: 'lsblk: is not simulated here\n', code: 1 };
  expect(runLine({ lsblk: programs[UNSIMULATED]! }, 'lsblk -f')).toEqual(outcome);
});
