import { expect, test } from '@jest/globals';
import { isText, parseScript, scriptOf } from './shell-script.js';

test.each<[string[], string | undefined]>([
  [['sh', '-c', 'a'], 'a'],
  [['/bin/bash', '-c', 'a', 'name'], 'a'],
  [['sh', '-c'], ''],
  [['sh', '-ec', 'a'], undefined],
  [['sh', '-c', 'a', 'name', 'word'], undefined],
  [['python3', '-c', 'a'], undefined],
  [['sh', '-c', 'x'.repeat(16_385)], undefined],
  [[], undefined],
])('%.40j is the script %j', (argv, script) => expect(scriptOf(argv)).toBe(script));

test.each([
  ['a; b', 2],
  ['', 0],
  ['a "', undefined],
])('%j has statements: %j', (script, count) => expect(parseScript(script)?.length).toBe(count));

test.each([
  ['a', true],
  ['"a b"', true],
  ["'$a'", true],
  ['$a', false],
  ['"$a"', false],
  ['$(a)', false],
  ['*', false],
])('%j is a text: %j', (word, expected) => {
  const [{ command } = {}] = parseScript(`echo ${word}`) ?? [];
  const [one] = command?.type === 'Command' ? command.suffix : [];
  expect(one?.type === 'Word' && isText(one)).toBe(expected);
});
