import { expect, test } from '@jest/globals';
import { append, EMPTY, parts, searchOf, type LogLine } from './log-buffer.js';

const line = (at: string, text: string, source = 0): LogLine => ({ at: `2026-01-01T00:00:${at}Z`, text, source });
const texts = (lines: readonly LogLine[]): string => lines.map(({ text }) => text).join(' ');

test('lines that come late are put where they belong', () => {
  const first = append(EMPTY, [line('01', 'a'), line('02.5', 'c')]);
  const next = append(first, [line('02.25', 'b', 1), line('03', 'd', 1)]);
  expect(texts(next.lines)).toBe('a b c d');
  expect(texts(append(next, [line('03', 'e')]).lines)).toBe('a b c d e');
  expect(append(next, []).lines).toBe(next.lines);
});

test('the oldest are forgotten, and counted', () => {
  let buffer = EMPTY;
  for (let i = 0; i < 20; i++)
    buffer = append(
      buffer,
      Array.from({ length: 1_000 }, (_, j) => line('01', `${i * 1_000 + j}`)),
      10_000,
    );
  expect(buffer.lines.length).toBeLessThanOrEqual(15_000);
  expect(buffer.lines.length + buffer.forgotten).toBe(20_000);
  expect(buffer.lines.at(-1)?.text).toBe('19999');
});

test('a search is an expression, or a text', () => {
  expect(searchOf('')).toBeUndefined();
  expect(searchOf('err.r')!.pattern.test('ERROR')).toBe(true);
  expect(searchOf('a(')).toMatchObject({ isLiteral: true });
  expect(searchOf('a(')!.pattern.test('A(b')).toBe(true);
});

test('what matches is marked', () => {
  const shown = (text: string, search: string): string =>
    parts(text, searchOf(search)?.pattern)
      .map((part) => (part.isMatch ? `[${part.text}]` : part.text))
      .join('');
  expect(shown('an error, another ERROR', 'error')).toBe('an [error], another [ERROR]');
  expect(shown('abc', '')).toBe('abc');
  expect(shown('abc', 'x*')).toBe('abc');
  expect(shown('', 'a')).toBe('');
});
