import { expect, test } from '@jest/globals';
import { goTypeOf, type GoStruct } from './go-type.js';
import { isAbsent, zeroValue } from './zero-value.js';

const container = goTypeOf('io.k8s.api.core.v1.Container') as GoStruct;
const field = (name: string) => container.fields.get(name)!;

test.each([
  ['image', '', true],
  ['image', 'a', false],
  ['name', '', false],
  ['stdin', false, true],
  ['env', [], true],
  ['env', [{}], false],
  ['resources', {}, false],
])("a container's %s %j is left out: %s", (name, value, absent) =>
  expect(isAbsent(container, name, field(name), value)).toBe(absent),
);

test.each([
  ['image', ''],
  ['stdin', false],
  ['env', []],
  ['resources', {}],
])("the zero of a container's %s is %j", (name, value) => expect(zeroValue(field(name))).toEqual(value));

test('a struct has the zeros that it shows', () => expect(zeroValue(container)).toEqual({ name: '', resources: {} }));
