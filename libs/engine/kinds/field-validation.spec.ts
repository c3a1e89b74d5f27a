import { expect, test } from '@jest/globals';
import { Path, type FieldError } from '../machinery/meta/field.js';
import {
  validateEach,
  validateImmutableField,
  validateOptionalEnum,
  validateOptionalText,
  validateRequiredEnum,
  validateRequiredText,
  validateTextPointer,
} from './field-validation.js';

const path = Path.of('a');
const messagesOf = (errors: readonly FieldError[]): string[] => errors.map((error) => error.message);
const bad = (): string[] => ['must be better'];
const BAD = (value: string): string[] => [`a: Invalid value: ${JSON.stringify(value)}: must be better`];

test.each<[string | undefined, string[], string[], string[]]>([
  ['x', BAD('x'), BAD('x'), BAD('x')],
  ['', ['a: Required value'], [], BAD('')],
  [undefined, ['a: Required value'], [], []],
])('the text %j: required, optional, a pointer', (text, required, optional, pointer) => {
  expect(messagesOf(validateRequiredText(path, text, bad))).toEqual(required);
  expect(messagesOf(validateOptionalText(path, text, bad))).toEqual(optional);
  expect(messagesOf(validateTextPointer(path, text, bad))).toEqual(pointer);
});

const UNSUPPORTED = (value: string): string[] => [
  `a: Unsupported value: ${JSON.stringify(value)}: supported values: "One", "Two"`,
];
test.each<[string | undefined, string[], string[]]>([
  ['One', [], []],
  ['Three', UNSUPPORTED('Three'), UNSUPPORTED('Three')],
  ['', ['a: Required value'], UNSUPPORTED('')],
  [undefined, ['a: Required value'], []],
])('the word %j: required, optional', (word, required, optional) => {
  expect(messagesOf(validateRequiredEnum(path, word, ['One', 'Two']))).toEqual(required);
  expect(messagesOf(validateOptionalEnum(path, word, ['One', 'Two']))).toEqual(optional);
});

test.each<[unknown, unknown, string[]]>([
  [{ b: [1] }, { b: [1] }, []],
  [{ b: [2] }, { b: [1] }, ['a: Invalid value: {"b":[2]}: field is immutable']],
])('%j was %j', (value, old, errors) => expect(messagesOf(validateImmutableField(path, value, old))).toEqual(errors));

test('each item has its path', () => {
  expect(messagesOf(validateEach(['x', 'y'], path, (item, at) => validateRequiredText(at, item, bad)))).toEqual([
    'a[0]: Invalid value: "x": must be better',
    'a[1]: Invalid value: "y": must be better',
  ]);
  expect(validateEach(undefined, path, () => [])).toEqual([]);
});
