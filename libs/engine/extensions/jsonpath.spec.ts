import { expect, test } from '@jest/globals';
import { compileJsonPath, createFieldSelector, printValue } from './jsonpath.js';

test.each<[string, unknown[]]>([
  ['.a.b', [1]],
  ['.list[0]', ['x']],
  ['.list[-1]', ['y']],
  ['.list[*]', ['x', 'y']],
  ["['a'].b", [1]],
  ['.dotted\\.name', [2]],
  ['.none.b', []],
  ['.items[?(@.k=="v")].n', [7]],
  ['{.a.b}', [1]],
])('the path %s', (path, found) =>
  expect(
    compileJsonPath(path)!({
      a: { b: 1 },
      list: ['x', 'y'],
      'dotted.name': 2,
      items: [
        { k: 'u', n: 6 },
        { k: 'v', n: 7 },
      ],
    }),
  ).toEqual(found),
);
test('what is no simple path', () => expect(compileJsonPath('.a[')).toBeUndefined());

test.each<[string, object, string]>([
  ['.spec.color', { spec: { color: 'blue' } }, 'blue'],
  ['.spec.size', { spec: { size: 3 } }, '3'],
  ['.spec.big', { spec: { big: true } }, 'true'],
  ['.spec.none', { spec: {} }, ''],
  ['.spec.none', { spec: { none: null } }, ''],
])('the field %s of %j selects by %j', (path, object, text) =>
  expect(createFieldSelector(path)(object as never)).toBe(text),
);

test.each<[unknown, string]>([
  ['a', 'a'],
  [1, '1'],
  [{ a: ['b'] }, '{"a":["b"]}'],
  [undefined, ''],
])('%j prints', (value, text) => expect(printValue(value)).toBe(text));
