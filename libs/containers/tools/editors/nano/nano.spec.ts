import { expect, test } from '@jest/globals';
import { EditorTerminal } from '../testing.js';
import { nano } from './nano.js';

const TEXT = 'one\ntwo words here\nthree\tx\n';
const open = (content: string | null = TEXT, ...args: string[]) =>
  new EditorTerminal(nano, ['nano', ...args, 'f'], content ?? undefined, { columns: 80, rows: 9 });

/** As nano 7.2 writes them; ^S saves. */
test.each<[keys: string[], result: string]>([
  [['hello '], 'hello one\ntwo words here\nthree\tx\n'],
  [['\x0b'], 'two words here\nthree\tx\n'],
  [['\x0b', '\x15', '\x15'], 'one\none\ntwo words here\nthree\tx\n'],
  [['\x0b', '\x0b', '\x1b[B', '\x15'], 'three\tx\none\ntwo words here\n'],
  [['\x1b6', '\x15'], 'one\none\ntwo words here\nthree\tx\n'],
  [['\x17', 'words\r', 'X'], 'one\ntwo Xwords here\nthree\tx\n'],
  [['\x1c', 'o\r', '0\r', 'a'], '0ne\ntw0 w0rds here\nthree\tx\n'],
  [['\x1f', '2,5\r', 'X'], 'one\ntwo Xwords here\nthree\tx\n'],
  [['x', '\x1bu'], TEXT],
  [['x', '\x1bu', '\x1be'], 'xone\ntwo words here\nthree\tx\n'],
  [['\x1b/', 'z'], `${TEXT}z\n`],
  [['a\rb'], 'a\nbone\ntwo words here\nthree\tx\n'],
  [['\x1b[B', '\x7f'], 'onetwo words here\nthree\tx\n'],
  [['\x05', '\x04'], 'onetwo words here\nthree\tx\n'],
  [['\x12', 'other\r'], `o\n${TEXT}`],
  [['\x05', 'a'.repeat(100)], `one${'a'.repeat(100)}\ntwo words here\nthree\tx\n`],
])('%j', (keys, result) => {
  const terminal = open().type(...keys, '\x13', '\x18');
  expect(terminal.code).toBe(0);
  expect(terminal.read()).toBe(result);
});

test('leaves with a question, which saves', () => {
  const terminal = open().type('x', '\x18');
  expect(terminal.screen().lines.slice(6)).toEqual(['Save modified buffer?', ' Y Yes', ' N No           ^C Cancel']);
  terminal.type('y', '\r');
  expect([terminal.code, terminal.read()]).toEqual([0, `x${TEXT}`]);
  const other = open().type('x', '\x18', 'n');
  expect([other.code, other.read()]).toEqual([0, TEXT]);
});

test('the screen', () => {
  const screen = open().screen();
  expect(screen.lines).toEqual([
    '  GNU nano 7.2                           f',
    ...['one', 'two words here', 'three   x', '', ''],
    '                                [ Read 3 lines ]',
    '^G Help      ^O Write Out ^W Where Is  ^K Cut       ^T Execute   ^C Location',
    '^X Exit      ^R Read File ^\\ Replace   ^U Paste     ^J Justify   ^/ Go To Line',
  ]);
  expect([screen.row, screen.column]).toEqual([1, 0]);
});

test.each<[keys: string, message: string]>([
  ['\x03', '[ line  1/4 (25%), col  1/ 4 ( 25%), char  0/27 ( 0%) ]'],
  ['\x17zz\r', '[ "zz" not found ]'],
  ['\x1bu', '[ Nothing to undo ]'],
  ['\x15', '[ Cutbuffer is empty ]'],
  ['\x07', '[ Key is disabled ]'],
])('says after %j', (keys, message) => {
  expect(
    open()
      .type(...keys.split(/(?<=\x17|\x1b)/))
      .screen()
      .lines[6]!.trim(),
  ).toBe(message);
});

test('-v changes nothing; a new file; another name', () => {
  expect(open(TEXT, '-v').type('x', '\x18').code).toBe(0);
  const terminal = open(null).type('hi', '\x0f', '\r', '\x18');
  expect([terminal.code, terminal.read()]).toEqual([0, 'hi\n']);
});
