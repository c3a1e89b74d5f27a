import { expect, test } from '@jest/globals';
import { runShell } from '../../../shell/testing.js';

test('dd that copies without end ends when it is told to', () => {
  const script = 'timeout 5 dd if=/dev/zero of=/dev/null bs=1M; echo $?; [ $SECONDS -lt 30 ] && echo soon';
  expect(runShell('bash', ['-c', script])).toEqual(['124\nsoon\n', '', 0]);
});
