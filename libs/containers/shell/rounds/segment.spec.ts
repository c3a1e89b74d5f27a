import { expect, test } from '@jest/globals';
import { Scope, Unsure } from './scope.js';
import { answer } from './segment.js';

function answersOf(...answers: string[]): string[] {
  const scope = new Scope(new Map(), '', [], false);
  scope.begin(answers);
  return answers.map(() => answer(scope));
}

test.each([
  [['a\n'], ['a']],
  [
    ['a\n\n', ' b '],
    ['a', ' b '],
  ],
  [['\n'], ['']],
])('%j is put in as %j', (answers, texts) => {
  expect(answersOf(...answers)).toEqual(texts);
});

test('bytes of zero are not known', () => {
  expect(() => answersOf('a\0b')).toThrow(Unsure);
});

test('an answer more than there are is not known', () => {
  expect(() => answer(new Scope(new Map(), '', [], false))).toThrow(Unsure);
});
