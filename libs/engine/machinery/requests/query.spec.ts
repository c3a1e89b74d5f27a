import { describe, expect, test } from '@jest/globals';
import { Query } from './query.js';

describe('parameters', () => {
  test.each<[string, string, string[]]>([
    ['a=1', 'a', ['1']],
    ['a=1&b=2&a=3', 'a', ['1', '3']],
    ['a', 'a', ['']],
    ['a=b=c', 'a', ['b=c']],
    ['&&a=1&', 'a', ['1']],
    ['label%53elector=a%3Db+c', 'labelSelector', ['a=b c']],
    ['a=1;b=2&c=3', 'a', []],
    ['a=%zz&a=1', 'a', ['1']],
    ['', 'a', []],
  ])('of %j', (text, name, values) => {
    const query = new Query(text);
    expect(query.all(name)).toEqual(values);
    expect(query.get(name)).toBe(values[0] ?? null);
    expect(query.text(name)).toBe(values[0] ?? '');
  });

  test('are at most 10,000', () => {
    expect(new Query('a&'.repeat(9_999)).all('a')).toHaveLength(9_999);
    expect(() => new Query('a&'.repeat(10_000))).toThrow('too many query parameters');
  });
});

test.each([
  ['watch', true],
  ['watch=', true],
  ['watch=1', true],
  ['watch=no', true],
  ['watch=0', false],
  ['watch=False', false],
  ['', false],
])('the flag of %j is %s', (text, expected) => expect(new Query(text).flag('watch')).toBe(expected));

describe('an integer', () => {
  test.each<[string, number | undefined]>([
    ['limit=500', 500],
    ['limit=-1', -1],
    ['limit=%2B7', 7],
    ['', undefined],
  ])('of %j', (text, expected) => expect(new Query(text).integer('limit')).toBe(expected));

  test.each([
    ['limit=x', 'strconv.ParseInt: parsing "x": invalid syntax'],
    ['limit=', 'strconv.ParseInt: parsing "": invalid syntax'],
    ['limit=1.5', 'strconv.ParseInt: parsing "1.5": invalid syntax'],
    ['limit=9999999999999999999', 'strconv.ParseInt: parsing "9999999999999999999": value out of range'],
  ])('of %j is refused', (text, message) => expect(() => new Query(text).integer('limit')).toThrow(message));
});
