import { expect, test } from '@jest/globals';
import { LineCutter, mergeLines } from './log-lines.js';

const at = (second: number, fraction = ''): string => `2026-01-01T00:00:0${second}${fraction}Z`;

test('lines are cut at their ends, wherever the text is', () => {
  const cutter = new LineCutter(3, 100);
  expect(cutter.push(`${at(1)} one\n${at(2)} tw`)).toEqual([{ source: 3, at: at(1), text: 'one' }]);
  expect(cutter.push('o\n')).toEqual([{ source: 3, at: at(2), text: 'two' }]);
  expect(cutter.push('no time\n\n')).toEqual([
    { source: 3, at: at(2), text: 'no time' },
    { source: 3, at: at(2), text: '' },
  ]);
  expect([...cutter.push(`${at(3)} rest`), ...cutter.end(), ...cutter.end()]).toEqual([
    { source: 3, at: at(3), text: 'rest' },
  ]);
});

test('a line without an end is cut', () => {
  const cutter = new LineCutter(0, 10);
  expect(cutter.push('x'.repeat(25)).map(({ text }) => text.length)).toEqual([10]);
});

test('lines are merged by time, those of one container stay in order', () => {
  const line = (source: number, time: string, text: string) => ({ source, at: time, text });
  const lines = [
    line(0, at(1, '.5'), 'b'),
    line(0, at(2), 'd'),
    line(1, at(1, '.25'), 'a'),
    line(1, at(1, '.500000000'), 'c'),
  ];
  expect(mergeLines(lines).map(({ text }) => text)).toEqual(['a', 'b', 'c', 'd']);
});
