import { describe, expect, test } from '@jest/globals';
import { BOOT } from '../../../../engine/kernel/testing.js';
import { startMachine, testScripts } from '../../testing.js';

testScripts('lists', [
  {
    script: 'foo',
    dash: ['', 'sh: 1: foo: not found\n', 127],
    ash: ['', 'sh: foo: not found\n', 127],
    bash: ['', 'bash: line 1: foo: command not found\n', 127],
  },
  {
    script: '((1+1))',
    dash: ['', 'sh: 1: 1+1: not found\n', 127],
    ash: ['', 'sh: 1+1: not found\n', 127],
    bash: ['', '', 0],
  },
  { script: 'echo a | cat | tr a b', all: ['b\n', '', 0] },
  { script: 'echo a \\\nb', all: ['a b\n', '', 0] },
  {
    script: 'foo bar',
    dash: ['', 'sh: 1: foo: not found\n', 127],
    ash: ['', 'sh: foo: not found\n', 127],
    bash: ['', 'bash: line 1: foo: command not found\n', 127],
  },
]);

/** Whether an exec session whose script leaves a job behind has ended a second later, and which processes run. */
function runJob(flavour: 'bash' | 'dash' | 'ash', job: string): [boolean, string[]] {
  const machine = startMachine(flavour);
  const argv = [flavour === 'bash' ? 'bash' : 'sh'];
  const session = machine.exec('c1', { argv, terminal: false, stdin: true }, BOOT + 1);
  machine.input(session, `${job} &\necho hi\n`, BOOT + 1);
  machine.closeInput(session, BOOT + 1);
  machine.run(BOOT + 1_000);
  const { stdout, ended } = machine.output(session);
  expect(stdout).toBe('hi\n');
  const processes = [...machine.state.processes.values()].map(({ argv: words }) => words.join(' '));
  return [ended, processes.slice(1)];
}

describe.each(['bash', 'dash', 'ash'] as const)('jobs in the background of %s', (flavour) => {
  const shell = flavour === 'bash' ? 'bash' : 'sh';
  test.each([
    ['sleep 8', false, ['sleep 8']],
    ['sleep 8 >/dev/null 2>&1', true, ['sleep 8']],
    ['(sleep 8; echo x) >/dev/null 2>&1', true, [shell, 'sleep 8']],
    ['(sleep 8)', false, ['sleep 8']],
    ['(sleep 8) >/dev/null 2>&1', true, ['sleep 8']],
    ['while sleep 8; do date; done >/work/log 2>&1', true, [shell, 'sleep 8']],
    ['for i in 1 2; do sleep 8; done >/work/log', false, [shell, 'sleep 8']],
    ['{ sleep 8; sleep 9; } >/work/log 2>&1', true, [shell, 'sleep 8']],
    ['(while sleep 8; do date; done) >/work/log 2>&1', true, [shell, 'sleep 8']],
  ])('%s: the session has ended: %s', (job, ended, processes) => {
    expect(runJob(flavour, job)).toEqual([ended, processes]);
  });
});
