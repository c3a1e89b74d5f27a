import { expect, test } from '@jest/globals';
import { readTyped, setJson, setValues } from './set.js';
import { plainOf, type Values } from './values.js';

const set = (text: string, before: Values = {}, read = readTyped) => {
  setValues(text, before, read);
  return plainOf(before);
};

test.each([
  ['a=b', { a: 'b' }],
  ['a=1,b=true,c=null,d=01,e=0,f=', { a: 1, b: true, c: null, d: '01', e: 0, f: '' }],
  ['a.b.c=d', { a: { b: { c: 'd' } } }],
  ['a={b,c,1}', { a: ['b', 'c', 1] }],
  ['a={}', { a: [''] }],
  ['a[0]=b,a[2]=c', { a: ['b', null, 'c'] }],
  ['a[0].b=c,a[0].d=e', { a: [{ b: 'c', d: 'e' }] }],
  ['a[0][1]=b', { a: [[null, 'b']] }],
  ['a\\.b=c', { 'a.b': 'c' }],
  ['a=b\\,c', { a: 'b,c' }],
  ['nodeSelector."kubernetes\\.io/role"=x', { nodeSelector: { '"kubernetes.io/role"': 'x' } }],
  ['__proto__.x=1', { __proto__: null }],
])('--set %s', (text, values) => {
  if (text.startsWith('__proto__')) {
    set(text);
    expect(({} as Values)['x']).toBeUndefined();
  } else expect(set(text)).toEqual(values);
});

test('what is there stays beside it', () => expect(set('a.c=2', { a: { b: 1 } })).toEqual({ a: { b: 1, c: 2 } }));
test('--set-string keeps texts', () => expect(set('a=1,b=true', {}, (text) => text)).toEqual({ a: '1', b: 'true' }));

test.each([
  ['a', 'key "a" has no value'],
  ['a,b=1', 'key "a" has no value (cannot end with ,)'],
  ['a={b', "list must terminate with '}'"],
  ['a[x]=1', 'error parsing index: strconv.Atoi: parsing "x": invalid syntax'],
  ['a[-1]=1', 'negative -1 index not allowed'],
  ['a[99999]=1', 'index of 99999 is greater than maximum supported index of 65536'],
  [`${'a.'.repeat(40)}b=1`, 'value name nested level is greater than maximum supported nested level of 30'],
])('--set %s is refused', (text, message) => expect(() => set(text)).toThrow(message));

test.each([
  ['a={"b":1,"c":[2]}', { a: { b: 1, c: [2] } }],
  ['a=[1,2],b="x"', { a: [1, 2], b: 'x' }],
  ['{"a":1}', { a: 1 }],
])('--set-json %s', (text, values) => expect(plainOf(setJson(text, {}))).toEqual(values));
