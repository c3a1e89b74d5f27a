import { expect, test } from '@jest/globals';
import { AGE, errorsOf, make, row, updateErrors } from '../../testing.js';
import { kind as RuntimeClasses } from './kind.js';

test.each<[object, string[]]>([
  [{ handler: 'runc' }, []],
  [
    { handler: 'runc', overhead: { podFixed: { cpu: '-1' } } },
    ['overhead.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0'],
  ],
])('a RuntimeClass of %j', (fields, errors) => expect(errorsOf(RuntimeClasses, { ...fields })).toEqual(errors));
test('a RuntimeClass has a handler', () => expect(errorsOf(RuntimeClasses, {})[0]).toBe('handler: Required value'));
test('a RuntimeClass keeps its handler', () =>
  expect(updateErrors(RuntimeClasses, { handler: 'a' }, { handler: 'b' })).toEqual([
    'handler: Invalid value: "b": field is immutable',
  ]));
test('a RuntimeClass prints it', () =>
  expect(row(RuntimeClasses, make(RuntimeClasses, { handler: 'runc' }))).toEqual({
    Name: 'a',
    Handler: 'runc',
    Age: AGE,
  }));
