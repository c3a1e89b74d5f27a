import { expect, test } from '@jest/globals';
import { SqlSyntaxFailure, splitStatements, tokenize, type Dialect } from './tokens.js';

test.each<[Dialect, string, string[]]>([
  ['postgres', "SELECT 'it''s' -- no\n, \"A b\"", ['SELECT', "it's", ',', 'A b']],
  ['postgres', 'a::int /* x */ >= $1', ['a', '::', 'int', '>=', '1']],
  ['postgres', "$x$ it's; $x$ E'\\n'", [" it's; ", '\n']],
  ['mysql', '`a``b` = "x\\"y" # c', ['a`b', '=', 'x"y']],
  ['mysql', '/*!40101 SET @a = 1 */', ['SET', '@a', '=', '1']],
  ['mysql', "x'4D' 0x4D 1.5e3 ?", ['4D', '4D', '1.5e3', '']],
])('%s: %s', (dialect, sql, texts) => {
  expect(tokenize(sql, dialect).map(({ text }) => text)).toEqual(texts);
});

test.each([
  ["'a", 'unterminated quoted string'],
  ['/* a', 'unterminated /* comment'],
  ['$$ a', 'unterminated dollar-quoted string'],
])('%s is refused', (sql, message) => {
  expect(() => tokenize(sql, 'postgres')).toThrow(new SqlSyntaxFailure(message, 0, sql));
});

test('statements end with semicolons outside of strings', () => {
  const statements = splitStatements(tokenize("select ';'; ; select 2", 'postgres'));
  expect(statements.map((one) => one.length)).toEqual([2, 2]);
});
