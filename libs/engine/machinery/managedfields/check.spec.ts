import { expect, it } from '@jest/globals';
import { checkFields } from './check.js';
import { spec, TYPE } from './testing.js';

it.each([
  ['an unknown field', { foo: 1 }, ['.spec.foo: field not declared in schema']],
  ['a text for a number', { size: 'x' }, ['.spec.size: expected numeric (int or float), got string']],
  ['a repeated value', { tags: ['a', 'a'] }, ['.spec.tags: duplicate entries for key [="a"]']],
  [
    'an item without its key',
    { ports: [{ name: 'x' }] },
    [
      '.spec.ports: element 0: associative list with keys has an element that omits key field "port" (and doesn\'t have default value)',
    ],
  ],
  ['either of two', { either: '50%', free: { any: [1, 'a'] } }, []],
])('check: %s', (_text, value, errors) => expect(checkFields(spec(value), TYPE)).toEqual(errors));
