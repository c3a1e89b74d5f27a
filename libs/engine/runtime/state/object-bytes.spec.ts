import { describe, expect, test } from '@jest/globals';
import { encodedGrowth, encodedSize, ObjectBytes } from './object-bytes.js';
import { widget } from '../testing.js';

test.each([
  ['web', 'web'],
  ['of two bytes a character', 'äö'],
  ['of three', '中'],
  ['outside of the basic plane', '😀'],
  ['with escapes', 'a\n"b"\\'],
  ['of a long line', 'x'.repeat(100)],
  ['of long lines with escapes', 'x\n'.repeat(100)],
  ['with half a character', '\ud83d'],
])('an object with a text %s is as large as its JSON text in UTF-8', (_, shelf) => {
  const object = widget('a', { shelf });
  expect(encodedSize(object)).toBe(Buffer.byteLength(JSON.stringify(object)));
});

describe('the growth from one value to the next is the difference of their texts', () => {
  const values = [
    null,
    7,
    'web',
    'ä"\n',
    {},
    [],
    [1],
    [1, 'b', { c: 1 }],
    { a: undefined },
    { a: 1 },
    { a: '中', b: undefined },
    { b: 1, a: 10 },
    { constructor: true },
    JSON.parse('{"__proto__":{}}') as unknown,
    { a: { b: {}, 'ü"': [] } },
    { a: { b: { c: [1, 2] }, d: 'e' }, f: null },
  ];

  test.each(values.flatMap((old) => values.map((next) => [old, next])))('%j, %j', (old, next) => {
    expect(encodedGrowth(old, next)).toBe(encodedSize(next) - encodedSize(old));
  });
});

describe('the total', () => {
  const [small, large] = [widget('small'), widget('large', { shelf: 'x'.repeat(1000) })];

  test('is that of the objects that are there', () => {
    const bytes = new ObjectBytes();
    bytes.replace(undefined, small);
    expect(bytes.total).toBe(encodedSize(small));
    bytes.replace(undefined, large);
    expect(bytes.total).toBe(encodedSize(small) + encodedSize(large));
    bytes.replace(small, undefined);
    expect(bytes.total).toBe(encodedSize(large));
    bytes.replace(large, undefined);
    expect(bytes.total).toBe(0);
  });

  test('follows an object through states that are counted and others that are not', () => {
    const bytes = new ObjectBytes();
    bytes.replace(undefined, small);
    expect(bytes.total).toBe(encodedSize(small));
    bytes.replace(small, large);
    bytes.replace(large, widget('again'));
    expect(bytes.total).toBe(encodedSize(widget('again')));
  });

  test('takes the size of a new object as it is told, of no other', () => {
    const bytes = new ObjectBytes();
    bytes.replace(undefined, small);
    bytes.record(small, 1);
    bytes.record(small, 1);
    expect(bytes.total).toBe(1);
    bytes.replace(small, large);
    bytes.record(large, 1);
    bytes.record(widget('unknown'), 1);
    expect(bytes.total).toBe(1 + encodedSize(large) - encodedSize(small));
  });

  test('is without an object that is gone what it was before', () => {
    const bytes = new ObjectBytes();
    bytes.replace(undefined, small);
    bytes.record(small, 1_000);
    bytes.replace(small, large);
    expect(bytes.total).toBe(1_000 + encodedSize(large) - encodedSize(small));
    bytes.replace(large, undefined);
    expect(bytes.total).toBe(0);
  });

  test('does not know what came and went before it was read', () => {
    const bytes = new ObjectBytes();
    bytes.replace(undefined, large);
    bytes.replace(large, undefined);
    expect(bytes.total).toBe(0);
  });

  test('is what it was when a step that was not counted is undone', () => {
    const bytes = new ObjectBytes();
    bytes.replace(undefined, small);
    expect(bytes.total).toBe(encodedSize(small));
    bytes.replace(small, large);
    bytes.replace(large, small);
    bytes.replace(small, large);
    bytes.replace(large, undefined);
    expect(bytes.total).toBe(0);
    bytes.replace(undefined, small);
    expect(bytes.total).toBe(encodedSize(small));
  });

  test('begins with what is known of objects together', () => {
    const bytes = new ObjectBytes();
    bytes.addKnown(encodedSize(small) + encodedSize(large));
    bytes.replace(large, undefined);
    expect(bytes.total).toBe(encodedSize(small));
  });
});

describe('measuring in pieces', () => {
  test('comes to the same total, and says how many are left', () => {
    const [bytes, objects] = [new ObjectBytes(), [1, 2, 3, 4, 5].map((i) => widget(`w${i}`))];
    bytes.addKnown(objects.reduce((sum, object) => sum + encodedSize(object), 0));
    const grown = objects.map((object) => ({ ...object, shelf: 'x'.repeat(100) }));
    grown.forEach((object, i) => bytes.replace(objects[i], object));
    expect([bytes.measureSome(2), bytes.measureSome(2), bytes.measureSome(2)]).toEqual([3, 1, 0]);
    expect(bytes.total).toBe(grown.reduce((sum, object) => sum + encodedSize(object), 0));
  });
});

describe('what was created', () => {
  test.each([
    ['alike', (_: number) => 1_000],
    ['large and small by turns', (i: number) => (i % 2 ? 4_000 : 10)],
    ['every eighth large', (i: number) => (i % 8 ? 10 : 8_000)],
  ])('is estimated to a fifth: 4,000 objects, %s', (_name, length) => {
    const bytes = new ObjectBytes();
    for (let i = 0; i < 4_000; i++) bytes.replace(undefined, widget(`w${i}`, { shelf: 'x'.repeat(length(i)) }));
    expect(bytes.created / bytes.total).toBeGreaterThan(0.8);
    expect(bytes.created / bytes.total).toBeLessThan(1.2);
  });

  test('leaves out what replaced another object', () => {
    const [bytes, old] = [new ObjectBytes(), widget('old')];
    bytes.addKnown(encodedSize(old));
    bytes.replace(old, widget('old', { shelf: 'x' }));
    expect(bytes.created).toBe(0);
  });
});
