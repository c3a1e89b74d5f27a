import { expect, test } from '@jest/globals';
import { columnsText, keepColumns, keptColumns, parseColumns, toggleColumn } from './chosen-columns.js';

const CHOICES = [
  { name: 'Ready', isUsual: true },
  { name: 'Age', isUsual: true },
  { name: 'IP', isUsual: false },
];

test.each<[string[]]>([[['Ready', 'Age']], [[]], [['a,b', '100%', '-', 'C D']]])('%j stands in a link', (names) =>
  expect([...parseColumns(columnsText(names))!]).toEqual(names),
);

test('nothing is chosen', () => expect(parseColumns('')).toBeUndefined());

test.each([
  ['', 'IP', 'Ready,Age,IP'],
  ['', 'Age', 'Ready'],
  ['Ready', 'Ready', '-'],
  ['-', 'Age', 'Age'],
  ['Ready,Age,IP', 'IP', ''],
  ['Gone,Ready', 'Age', ''],
])('%j with %s the other way is %j', (text, name, next) =>
  expect(toggleColumn(CHOICES, parseColumns(text), name)).toBe(next),
);

test('what was chosen is kept for the next visit, of so many kinds', () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  expect(keptColumns('pods', storage)).toBe('');
  keepColumns('pods', 'IP', storage);
  expect(keptColumns('pods', storage)).toBe('IP');
  keepColumns('pods', '', storage);
  expect(keptColumns('pods', storage)).toBe('');
  for (let i = 0; i <= 100; i++) keepColumns(`r${i}`, 'Age', storage);
  expect([keptColumns('r0', storage), keptColumns('r100', storage)]).toEqual(['', 'Age']);
  kept.set('terrarium.columns', 'no JSON');
  expect([keptColumns('pods', storage), keptColumns('pods', undefined)]).toEqual(['', '']);
  keepColumns('pods', 'IP', storage);
});
