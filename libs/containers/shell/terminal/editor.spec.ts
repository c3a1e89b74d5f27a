import { expect, test } from '@jest/globals';
import { BOOT } from '../../../engine/kernel/testing.js';
import type { Flavour } from '../state/state.js';
import { startMachine } from '../testing.js';

/** Types keys one after the other, as a client of a terminal, and gives what the terminal has shown. */
function typeKeys(
  flavour: Flavour,
  keys: readonly string[],
  env: Record<string, string> = {},
  name = flavour === 'bash' ? 'bash' : 'sh',
): string {
  const machine = startMachine(flavour, { env, isSaved: true });
  let now = BOOT + 1_000;
  const session = machine.exec(
    'c1',
    { argv: [name], terminal: true, stdin: true, size: { columns: 80, rows: 24 } },
    now,
  );
  for (const key of keys) {
    now += 500;
    machine.input(session, key, now);
    while (!machine.run(now + 400));
  }
  expect(machine.faults).toEqual([]);
  return machine.output(session).stdout;
}

test.each<[string, Flavour, string[], string]>([
  ['dash prompts', 'dash', ['echo hi\r', 'exit\r'], '# echo hi\r\nhi\r\n# exit\r\n'],
  ['busybox prompts with the directory', 'ash', ['cd /tmp\r', 'exit\r'], '/work # cd /tmp\r\n/tmp # exit\r\n'],
  ['bash prompts', 'bash', ['echo hi\r', 'exit\r'], 'bash-5.2# echo hi\r\nhi\r\nbash-5.2# exit\r\nexit\r\n'],
  [
    'PS2',
    'bash',
    ['for i in 1\r', 'do echo $i\r', 'done\r'],
    'bash-5.2# for i in 1\r\n> do echo $i\r\n> done\r\n1\r\nbash-5.2# ',
  ],
  [
    '^C ends what runs',
    'bash',
    ['sleep 100\r', '\x03', 'echo $?\r'],
    'bash-5.2# sleep 100\r\n^C\r\nbash-5.2# echo $?\r\n130\r\nbash-5.2# ',
  ],
  ['^C drops the line', 'ash', ['abc\x03'], '/work # abc^C\r\n/work # '],
  ['^D ends the shell', 'bash', ['\x04'], 'bash-5.2# exit\r\n'],
  [
    '^Z, jobs and fg',
    'bash',
    ['sleep 1\r', '\x1a', 'jobs\r', 'fg\r', '\r'],
    'bash-5.2# sleep 1\r\n^Z\r\n[1]+  Stopped                 sleep 1\r\nbash-5.2# jobs\r\n' +
      '[1]+  Stopped                 sleep 1\r\nbash-5.2# fg\r\nsleep 1\r\nbash-5.2# \r\nbash-5.2# ',
  ],
  [
    'history',
    'bash',
    ['echo a\r', '\x1b[A', '\r'],
    'bash-5.2# echo a\r\na\r\nbash-5.2# echo a\x1b[K\r\na\r\nbash-5.2# ',
  ],
  ['^U and ^W', 'bash', ['a b\x17c\x15x'], 'bash-5.2# a b\b\x1b[Kc\b\b\b\x1b[Kx'],
  ['tab completes files', 'bash', ['cat /etc/pas\t'], 'bash-5.2# cat /etc/passwd '],
  [
    'what is typed ahead is for the command that reads it',
    'ash',
    ['read a\rone\recho $a\r'],
    '/work # read a\r\n/work # echo $a\r\none\r\n/work # ',
  ],
  [
    'what is typed ahead is for the next line',
    'bash',
    ['echo a\recho b\r'],
    'bash-5.2# echo a\r\na\r\nbash-5.2# echo b\r\nb\r\nbash-5.2# ',
  ],
  ['tab completes commands', 'ash', ['whoa\t'], '/work # whoami '],
])('%s', (_, flavour, keys, shown) => {
  expect(typeKeys(flavour, keys)).toBe(shown);
});

test('a prompt has its escapes', () => {
  expect(typeKeys('bash', ['cd /tmp\r'], { PS1: '\\u@\\h:\\w\\$ ' })).toBe(
    'root@test:/work# cd /tmp\r\nroot@test:/tmp# ',
  );
});

test('errors of an interactive bash begin with its last name', () => {
  expect(typeKeys('bash', ['nothing\r'], {}, '/bin/bash')).toBe(
    'bash-5.2# nothing\r\nbash: nothing: command not found\r\nbash-5.2# ',
  );
});
