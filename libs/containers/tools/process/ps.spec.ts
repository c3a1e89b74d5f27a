import { expect, test } from '@jest/globals';
import { runLine } from '../testing/run-line.js';
import { ps } from './ps.js';

const run = (line: string) => runLine({ ps }, line);

test.each([
  [
    'sleep 9 & ps -ef; true',
    'UID        PID  PPID  C STIME TTY          TIME CMD\nroot         1     0  0 00:00 ?        00:00:00 sh -c sleep 9 & ps -ef; true\n',
  ],
  [
    'ps aux; true',
    'USER       PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND\nroot         1  0.0  0.0 ',
  ],
  [
    'ps -elf; true',
    'F S UID        PID  PPID  C PRI  NI ADDR SZ WCHAN  STIME TTY          TIME CMD\n4 S root         1     0  0  80   0 -   541 -      00:00 ?        00:00:00 sh -c ps -elf; true\n',
  ],
  [
    'ps -l; true',
    'F S   UID   PID  PPID  C PRI  NI ADDR SZ WCHAN  TTY          TIME CMD\n4 S     0     1     0  0  80   0 -   541 -      ?  ',
  ],
  ['ps; true', '  PID TTY          TIME CMD\n    1 ?        00:00:00 sh\n    2 ?        00:00:00 ps\n'],
  ['ps -o pid,comm -p 1; true', '  PID COMMAND\n    1 sh\n'],
  ['ps -o pid= -C ps; true', '    2\n'],
  ['ps -eo user,pid,ppid,args --sort=-pid; true', 'USER       PID  PPID COMMAND\nroot         2     1 ps -eo user'],
])('%s', (line, beginning) => {
  const { stdout, stderr, code } = run(line);
  expect({ beginning: stdout.slice(0, beginning.length), stderr, code }).toEqual({ beginning, stderr: '', code: 0 });
});

test.each([
  ['ps --foo', 'error: unknown gnu long option\n\nUsage:\n ps [options]\n'],
  ['ps -o foo', 'error: unknown user-defined format specifier "foo"\n'],
  ['ps -p', 'error: list of process IDs must follow -p\n'],
  ['ps -u nobody', 'error: user name does not exist\n'],
])('%s is refused', (line, beginning) => {
  const { stderr, code } = run(line);
  expect({ beginning: stderr.slice(0, beginning.length), code }).toEqual({ beginning, code: 1 });
});

test('ps says with its exit code that there is none', () => {
  expect(run('ps -p 99')).toEqual({ stdout: '  PID TTY          TIME CMD\n', stderr: '', code: 1 });
});

test.each([
  ['ps; true', 'PID   USER     TIME  COMMAND\n    1 root      0:00 sh -c ps; true\n    2 root      0:00 ps\n'],
  [
    'ps aux; true',
    'PID   USER     TIME  COMMAND\n    1 root      0:00 sh -c ps aux; true\n    2 root      0:00 ps aux\n',
  ],
  ['ps -o pid,comm; true', 'PID   COMMAND\n    1 sh\n    2 ps\n'],
])("busybox' %s", (line, stdout) => {
  expect(runLine({ ps: ps.as('busybox') }, line)).toEqual({ stdout, stderr: '', code: 0 });
});

test("busybox' refuses options in its own words", () => {
  expect(runLine({ ps: ps.as('busybox') }, 'ps -x; echo $?').stderr).toMatch(
    /^ps: invalid option -- 'x'\nBusyBox v1.37.0 /,
  );
});
