import { expect, test } from '@jest/globals';
import { EditorTerminal } from '../testing.js';
import { vi } from './vi.js';

const TEXT = 'one\ntwo words here\nthree\tx\n';
const YAML = 'kind: Pod\nspec:\n  containers:\n  - name: web\n    ports: [80, (443)]\n\nend "quoted" here\n';
const ESC = '\x1b';

const open = (content: string | undefined, flavour: 'gnu' | 'busybox' = 'gnu', size = { columns: 60, rows: 8 }) =>
  new EditorTerminal(vi.as(flavour), ['vi', 'f'], content, size);

/** As vim 9 and busybox 1.35 write them. */
test.each<[keys: string, result: string, text?: string]>([
  [`ihello ${ESC}`, 'hello one\ntwo words here\nthree\tx\n'],
  [`Aend${ESC}j.`, 'oneend\ntwo words hereend\nthree\tx\n'],
  [`ofoo\rbar${ESC}`, 'one\nfoo\nbar\ntwo words here\nthree\tx\n'],
  [`Ofoo${ESC}`, 'foo\none\ntwo words here\nthree\tx\n'],
  ['x2x', '\ntwo words here\nthree\tx\n'],
  ['dd', 'two words here\nthree\tx\n'],
  ['jddp', 'one\nthree\tx\ntwo words here\n'],
  ['2ddu', TEXT],
  ['yyjp', 'one\ntwo words here\none\nthree\tx\n'],
  ['jyyP', 'one\ntwo words here\ntwo words here\nthree\tx\n'],
  ['jwd2w', 'one\ntwo \nthree\tx\n'],
  [`jwcwnew${ESC}`, 'one\ntwo new here\nthree\tx\n'],
  [`jw2cwnew${ESC}`, 'a: b\nkindnew\nx\n', 'a: b\nkind: Pod\nx\n'],
  [`ccnew${ESC}`, 'new\ntwo words here\nthree\tx\n'],
  ['J', 'one two words here\nthree\tx\n'],
  ['3rX', 'XXX\ntwo words here\nthree\tx\n'],
  ['j~~', 'one\nTWo words here\nthree\tx\n'],
  ['jdG', 'one\n'],
  ['jdth', 'one\nhere\nthree\tx\n'],
  ['jfwd;', 'one\ntords here\nthree\tx\n'],
  ['j2>>', 'one\n\ttwo words here\n\tthree\tx\n'],
  ['/words\rx', 'one\ntwo ords here\nthree\tx\n'],
  ['?three\rx', 'one\ntwo words here\nhree\tx\n'],
  ['5G%d%', YAML.replace('[80, (443)]', ''), YAML],
  ['G0dd1Gp', 'one\nthree\tx\ntwo words here\n'],
  ["mx2jd'x", ''],
  ['"ayyj"ap', 'one\ntwo words here\none\nthree\tx\n'],
  [`Rxyz${ESC}`, 'xyz\ntwo words here\nthree\tx\n'],
  [':s/o/0/\r', '0ne\ntwo words here\nthree\tx\n'],
  [':%s/o/0/g\r', '0ne\ntw0 w0rds here\nthree\tx\n'],
  [':%s/\\(t\\)w/[\\1]/\r', 'one\n[t]o words here\nthree\tx\n'],
  [':2d\r', 'one\nthree\tx\n'],
  [':2,$d\ru', TEXT],
  [':r other\r', 'one\no\ntwo words here\nthree\tx\n'],
  [`i\xc3\xa9${ESC}`, '\xc3\xa9one\ntwo words here\nthree\tx\n'],
  ['xxx.uu', 'ne\ntwo words here\nthree\tx\n'],
])('%j', (keys, result, text = TEXT) => {
  const terminal = open(text);
  terminal.type(`${keys}:wq\r`);
  expect(terminal.code).toBe(0);
  expect(terminal.read()).toBe(result);
});

test.each<[keys: string, result: string]>([
  ['jwyiwP', 'one\ntwo wordswords here\nthree\tx\n'],
  ['jVjd', 'one\n'],
  ['jvexu', TEXT],
  ['jwvey$p', 'one\ntwo words herewords\nthree\tx\n'],
  ['Vjj>', '\tone\n\ttwo words here\n\tthree\tx\n'],
  [':set et sw=2\r>>', '  one\ntwo words here\nthree\tx\n'],
  [`:set ai\rI  ${ESC}ofoo${ESC}`, '  one\n  foo\ntwo words here\nthree\tx\n'],
  [':g/e/d\r', '\n'],
  [':2m0\r', 'two words here\none\nthree\tx\n'],
  [`3ofoo${ESC}`, 'one\nfoo\nfoo\nfoo\ntwo words here\nthree\tx\n'],
  ['xu\x12', 'ne\ntwo words here\nthree\tx\n'],
])('only vim: %j', (keys, result) => {
  const terminal = open(TEXT).type(`${keys}:x\r`);
  expect([terminal.code, terminal.read()]).toEqual([0, result === '\n' ? '' : result]);
});

test.each<['gnu' | 'busybox', string, string]>([
  ['gnu', '', '"f" 3L, 27B                               1,1           All'],
  ['gnu', 'i', '-- INSERT --                              1,1           All'],
  ['gnu', 'x:q\r', 'E37: No write since last change (add ! to override)'],
  ['gnu', ':foo\r', 'E492: Not an editor command: foo          1,1           All'],
  ['gnu', '/zzz\r', 'E486: Pattern not found: zzz              1,1           All'],
  ['gnu', ':w! g\r', '"g" [New] 3L, 27B written                 1,1           All'],
  ['gnu', ':w other\r', 'E13: File exists (add ! to override)      1,1           All'],
  ['gnu', ':99\r', 'E16: Invalid range                        1,1           All'],
  ['gnu', ':!ls\r', 'E319: Sorry, the command is not available in this version'],
  ['gnu', ':set foo\r', 'E518: Unknown option: foo                 1,1           All'],
  ['gnu', '3dd', '--No lines in buffer--                    0,0-1         All'],
  ['gnu', 'ddu', '1 more line; before #1  0 seconds ago     1,1           All'],
  ['gnu', 'u', 'Already at oldest change                  1,1           All'],
  ['busybox', '', '- f 1/3 33%'],
  ['busybox', 'ix', 'I f [Modified] 1/3 33%'],
  ['busybox', 'x:q\r', 'No write since last change (:q! overrides)'],
  ['busybox', ':foo\r', "'foo' is not implemented"],
  ['busybox', '/zzz\r', 'Pattern not found'],
  ['busybox', ':w\r', "'f' 3L, 27C"],
  ['busybox', ':99\r', 'Invalid range'],
  ['busybox', ':set nu\r', 'bad option: nu'],
  ['busybox', 'V', "'V' is not implemented"],
  ['busybox', '2yy', 'Yank 2 lines (19 chars) from [D]'],
  ['busybox', 'yyp', 'Put 1 lines (4 chars) from [D]'],
  ['busybox', 'ixyz\x1bu', 'Undo [1] deleted 3 chars at position 0'],
])('%s says after %j', (flavour, keys, status) => {
  expect(open(TEXT, flavour).type(keys).screen().lines.at(-1)).toBe(status);
});

test('vim wraps lines and numbers them; what does not fit is @', () => {
  const terminal = open(`${'a'.repeat(70)}\nb\n${'c'.repeat(200)}\n`, 'gnu', { columns: 40, rows: 7 });
  terminal.type(':set number\r');
  const screen = terminal.screen();
  expect(screen.lines.slice(0, 6)).toEqual([`  1 ${'a'.repeat(36)}`, `    ${'a'.repeat(34)}`, '  2 b', '@', '@', '@']);
  expect([screen.row, screen.column]).toEqual([0, 4]);
});

test('busybox cuts lines', () => {
  const screen = open(`${'a'.repeat(70)}\nb\n`, 'busybox', { columns: 40, rows: 4 }).screen();
  expect(screen.lines).toEqual(['a'.repeat(40), 'b', '~', '- f 1/2 50%']);
});

test('a resize draws the screen anew', () => {
  const terminal = open('a\nb\nc\nd\ne\n');
  terminal.resize(30, 4);
  const bytes = terminal.output;
  const screen = terminal.screen({ columns: 60, rows: 8 });
  expect(bytes.lastIndexOf('\x1b[2J')).toBeGreaterThan(bytes.indexOf('\x1b[2J'));
  expect(screen.lines.slice(0, 4)).toEqual(['a', 'b', 'c', '"f" 5L, 10B']);
});

test('a new file, and one that may not be written', () => {
  expect(open(undefined).type(`ihi${ESC}ZZ`).read()).toBe('hi\n');
  const terminal = new EditorTerminal(vi, ['vi', 'f'], TEXT, { columns: 80, rows: 8 }, 0o444, 1_000);
  expect(terminal.type('x:w\r').screen().lines.at(-1)).toContain("E45: 'readonly' option is set (add ! to override)");
  expect(terminal.type(':w!\r').screen().lines.at(-1)).toContain('"f" E212: Can\'t open file for writing');
  expect(terminal.type(':q!\r').code).toBe(0);
});

test('keys without end are bounded', () => {
  const terminal = open('x\n').type(`9999i${'y'.repeat(50)}${ESC}`, '999999999p', ':%s/y/yyyyyyyyyyyyyyyy/g\r', '.');
  expect(terminal.type(':q!\r').code).toBe(0);
});
