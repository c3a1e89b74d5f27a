import { describe, expect, test } from '@jest/globals';
import { SeededRandom } from '../../../engine/machinery/random.js';
import { compilePattern, findEnd, findMatch, findStart, matchPattern } from './pattern.js';

/** The same pattern as an expression, tried at every place: short texts only. */
const expressionOf = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replaceAll('*', '[^]*').replaceAll('?', '[^]')}$`);

function oracle(pattern: string, text: string): object {
  const places = Array.from({ length: text.length + 1 }, (_, i) => i);
  const expression = expressionOf(pattern);
  const ends = places.filter((end) => expression.test(text.slice(0, end)));
  const starts = places.filter((start) => expression.test(text.slice(start)));
  const begin = places.find((start) => places.some((end) => end > start && expression.test(text.slice(start, end))));
  const end = begin === undefined ? [] : places.filter((e) => e > begin && expression.test(text.slice(begin, e)));
  return {
    matches: expression.test(text),
    ends: [ends[0] ?? -1, ends.at(-1) ?? -1],
    starts: [starts.at(-1) ?? -1, starts[0] ?? -1],
    found: begin === undefined ? undefined : { start: begin, end: end.at(-1) },
  };
}

test('500 small patterns are found where they are', () => {
  const chance = new SeededRandom(7);
  const pick = (from: string, most: number): string =>
    Array.from(
      { length: Math.floor(chance.next() * (most + 1)) },
      () => from[Math.floor(chance.next() * from.length)],
    ).join('');
  for (let i = 0; i < 500; i++) {
    const pattern = pick('ab*?', 4) + 'a';
    const text = pick('ab', 6);
    const compiled = compilePattern(pattern, false);
    const seen = {
      matches: matchPattern(compiled, text),
      ends: [findEnd(compiled, text, 0, false), findEnd(compiled, text, 0, true)],
      starts: [findStart(compiled, text, false), findStart(compiled, text, true)],
      found: findMatch(compiled, text, 0),
    };
    expect({ pattern, text, ...seen }).toEqual({ pattern, text, ...oracle(pattern, text) });
  }
});

describe('a text of two million characters', () => {
  const text = 'a'.repeat(2_000_000);
  test.each(['*b', 'b*', '*a*b', '*[bc]', '?*b', `*b${'a'.repeat(50)}`])('%s', (pattern) => {
    const compiled = compilePattern(pattern, false);
    const started = performance.now();
    matchPattern(compiled, text);
    for (const isLongest of [false, true]) {
      findEnd(compiled, text, 0, isLongest);
      findStart(compiled, text, isLongest);
    }
    findMatch(compiled, text, 0);
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});

test('letter case is left out of account', () =>
  expect(matchPattern(compilePattern('A*[b-c]', false), 'axB', { ignoreCase: true })).toBe(true));
