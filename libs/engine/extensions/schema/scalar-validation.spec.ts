import { describe, expect, test } from '@jest/globals';
import { Path } from '../../machinery/meta/field.js';
import { checkNumber, checkText, checkType } from './scalar-validation.js';
import type { StructuralSchema } from './structural-schema.js';

const X = Path.of('x');
const BODY = 'x in body';

describe('the type', () => {
  const wrong = (type: string, found: string): string =>
    `x: Invalid value: "${found}": x in body must be of type ${type}: "${found}"`;
  test.each<[StructuralSchema, unknown, string[]]>([
    [{}, 1, []],
    [{ type: 'integer' }, 1, []],
    [{ type: 'number' }, 1, []],
    [{ type: 'number' }, 1.5, []],
    [{ type: 'integer' }, 1.5, [wrong('integer', 'number')]],
    [{ type: 'string' }, 1, [wrong('string', 'integer')]],
    [{ type: 'boolean' }, 'true', [wrong('boolean', 'string')]],
    [{ type: 'object' }, [], [wrong('object', 'array')]],
    [{ type: 'array' }, {}, [wrong('array', 'object')]],
    [{ type: 'string' }, null, [wrong('string', 'null')]],
    [{ 'x-kubernetes-int-or-string': true }, 'a', []],
    [{ 'x-kubernetes-int-or-string': true }, 1.5, [wrong('integer,string', 'number')]],
    [{ type: 'integer', format: 'int32' }, 'a', [wrong('integer', 'string')]],
    [{ type: 'string', format: 'date' }, 1, [wrong('date', 'int64')]],
  ])('%j of %j', (schema, value, errors) =>
    expect(checkType(schema, value, X, BODY).map((e) => e.message)).toEqual(errors),
  );
});

describe('a number', () => {
  const range = (of: string): string => `<nil>: Invalid value: "": Checked value must be of type ${of} in x`;
  test.each<[StructuralSchema, number, string[]]>([
    [{ minimum: 1, maximum: 3 }, 2, []],
    [{ minimum: 1 }, 0, ['x: Invalid value: 0: x in body should be greater than or equal to 1']],
    [{ minimum: 1, exclusiveMinimum: true }, 1, ['x: Invalid value: 1: x in body should be greater than 1']],
    [{ maximum: 3 }, 4, ['x: Invalid value: 4: x in body should be less than or equal to 3']],
    [{ maximum: 3, exclusiveMaximum: true }, 3, ['x: Invalid value: 3: x in body should be less than 3']],
    [{ multipleOf: 3 }, 9, []],
    [{ multipleOf: 3 }, 10, ['x: Invalid value: 10: x in body should be a multiple of 3']],
    [{ multipleOf: 0.1 }, 0.3, []],
    [{ multipleOf: 0.5 }, 3, ['x: Invalid value: 0: factor MultipleOf declared for x must be positive: 0']],
    [{ type: 'integer', format: 'int32' }, 2 ** 31 - 1, []],
    [{ type: 'integer', format: 'int32' }, 2 ** 31, [range('integer with format int32')]],
    [{ type: 'integer' }, 2 ** 64, [range('integer (default format)')]],
    [{ type: 'number', format: 'float' }, 1e39, [range('number with format float')]],
    [{ type: 'number', format: 'double' }, 1e39, []],
  ])('%j of %j', (schema, value, errors) =>
    expect(checkNumber(schema, value, X, BODY).map((e) => e.message)).toEqual(errors),
  );
});

describe('a text', () => {
  test.each<[StructuralSchema, string, string[]]>([
    [{ minLength: 1, maxLength: 3 }, 'abc', []],
    [{ minLength: 1 }, '', ['x: Invalid value: "": x in body should be at least 1 chars long']],
    [{ maxLength: 3 }, 'abcd', ['x: Too long: may not be more than 3 bytes']],
    [{ maxLength: 1 }, '😀', []],
    [{ pattern: '^a' }, 'b', ['x: Invalid value: "b": x in body should match \'^a\'']],
    [{ minLength: 2, pattern: '^a' }, 'b', ['x: Invalid value: "b": x in body should be at least 2 chars long']],
    [{ pattern: '(' }, 'b', []],
    [{ format: 'ipv4' }, '10.0.0.1', []],
    [{ type: 'string', format: 'ipv4' }, 'a', ['x: Invalid value: "a": x in body must be of type ipv4: "a"']],
    [{ type: 'string', format: 'of-our-own' }, 'a', []],
    [
      { type: 'string', pattern: '^a', format: 'ipv4' },
      'b',
      [
        'x: Invalid value: "b": x in body should match \'^a\'',
        'x: Invalid value: "b": x in body must be of type ipv4: "b"',
      ],
    ],
  ])('%j of %j', (schema, value, errors) =>
    expect(checkText(schema, value, X, BODY).map((e) => e.message)).toEqual(errors),
  );
});
