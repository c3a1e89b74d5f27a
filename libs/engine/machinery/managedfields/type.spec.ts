import { expect, test } from '@jest/globals';
import { DEDUCED, isVoid, itemElement, resolve, SCALAR, type ListType } from './type.js';

const list: ListType = { kind: 'list', atomic: false, element: DEDUCED };
const byPort: ListType = { ...list, keys: ['port', 'protocol'], keyDefaults: { protocol: 'TCP' } };

test.each([
  ['a value of a set', list, 'a', 'v:"a"'],
  ['a number of a set', list, 1, 'v:1'],
  ['an object in a set', list, {}, undefined],
  ['null in a set', list, null, undefined],
  ['an item with its keys', byPort, { protocol: 'UDP', port: 1 }, 'k:{"port":1,"protocol":"UDP"}'],
  ['an item with a key by default', byPort, { port: 1 }, 'k:{"port":1,"protocol":"TCP"}'],
  ['an item without a key', byPort, { protocol: 'TCP' }, undefined],
  ['no item', byPort, 'a', undefined],
])('the element of %s', (_, type, item, element) => expect(itemElement(type, item)).toBe(element));

test.each([
  [{}, 'map', false],
  [[], 'list', true],
  ['a', 'scalar', undefined],
  [null, 'scalar', undefined],
])('without a schema %j is a %s', (value, kind, atomic) => {
  const type = resolve(DEDUCED, value);
  expect([type.kind, 'atomic' in type ? type.atomic : undefined]).toEqual([kind, atomic]);
});

test('a scalar stays one whatever its value is', () => expect(resolve(SCALAR, {})).toBe(SCALAR));

test.each([
  [null, true],
  [{}, true],
  [[], true],
  ['', false],
  [0, false],
  [{ a: 1 }, false],
])('%j is void: %s', (value, result) => expect(isVoid(value)).toBe(result));
