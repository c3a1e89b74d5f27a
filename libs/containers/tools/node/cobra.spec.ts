import { expect, test } from '@jest/globals';
import { UsageFailure } from '../framework/tool.js';
import { inCobraWords } from './cobra.js';

test.each([
  ["unrecognized option '--nope'", 'unknown flag: --nope'],
  ["invalid option -- 'Z'", "unknown shorthand flag: 'Z' in -Z"],
  ["option '--ttl' requires an argument", 'flag needs an argument: --ttl'],
  ["option requires an argument -- 'o'", "flag needs an argument: 'o' in -o"],
  ["option '--all' doesn't allow an argument", "option '--all' doesn't allow an argument"],
])('%s', (said, expected) => {
  const refuse = (): never => {
    throw new UsageFailure(said);
  };
  expect(() => inCobraWords(refuse, (message) => new Error(message))).toThrow(expected);
});

test('what is read is handed on, other failures too', () => {
  const fail = (message: string): Error => new Error(message);
  expect(inCobraWords(() => 7, fail)).toBe(7);
  const broken = (): never => {
    throw new TypeError('broken');
  };
  expect(() => inCobraWords(broken, fail)).toThrow(TypeError);
});
