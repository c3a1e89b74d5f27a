import { beforeEach, expect, test } from '@jest/globals';
import { END_OF_INPUT, Terminal } from './terminal.js';

let echoed: string;
let terminal: Terminal;
beforeEach(() => {
  echoed = '';
  terminal = new Terminal((text) => (echoed += text));
});

/** All lines that can be read now. */
function readAll(): unknown[] {
  const lines: unknown[] = [];
  for (let line = terminal.readLine(); line !== undefined; line = terminal.readLine()) lines.push(line);
  return lines;
}

test.each<[string, string, unknown[], string]>([
  ['a line', 'ls\r', ['ls\n'], 'ls\r\n'],
  ['lines', 'a\rb\n', ['a\n', 'b\n'], 'a\r\nb\r\n'],
  ['a line that is not complete', 'ls', [], 'ls'],
  ['Enter alone', '\r', ['\n'], '\r\n'],
  ['a key taken back', 'ax\u007fb\r', ['ab\n'], 'ax\b \bb\r\n'],
  ['more taken back than there was', 'a\b\b\bb\r', ['b\n'], 'a\b \bb\r\n'],
  ['^C', 'abc\u0003d\r', ['d\n'], 'abc^C\r\n/ # d\r\n'],
  ['^D at the beginning of a line', 'a\r\u0004', ['a\n', END_OF_INPUT], 'a\r\n'],
  ['^D within a line', 'a\u0004b\r', ['ab\n'], 'ab\r\n'],
  ['a tab', 'a\tb\r', ['a\tb\n'], 'a\tb\r\n'],
  ['other control keys', 'a\u0001\u001bb\r', ['ab\n'], 'ab\r\n'],
  ['characters beyond 16 bits', '😀\r', ['😀\n'], '😀\r\n'],
])('%s', (_, keys, lines, echo) => {
  terminal.type(keys);
  expect([readAll(), echoed]).toEqual([lines, echo]);
});

test('keys may come in parts, also while lines wait', () => {
  terminal.type('a\rb');
  expect([terminal.waitingLines, terminal.readLine(), terminal.waitingLines]).toEqual([1, 'a\n', 0]);
  terminal.type('c\rd');
  expect([terminal.waitingLines, terminal.readLine(), terminal.readLine()]).toEqual([1, 'bc\n', undefined]);
  terminal.type('\r');
  expect(readAll()).toEqual(['d\n']);
});
