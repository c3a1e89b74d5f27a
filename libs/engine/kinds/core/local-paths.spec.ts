import { expect, test } from '@jest/globals';
import { Path, type FieldError } from '../../machinery/meta/field.js';
import { validateLocalDescendingPath, validateLocalNonReservedPath, validatePathNoBacksteps } from './local-paths.js';

const ABSOLUTE = 'must be a relative path';
const CLIMBS = "must not contain '..'";
const RESERVED = "must not start with '..'";

function messagesOf(check: (text: string, path: Path, errors: FieldError[]) => void, text: string): string[] {
  const errors: FieldError[] = [];
  check(text, Path.of('path'), errors);
  return errors.map((error) => error.message.replace(`path: Invalid value: ${JSON.stringify(text)}: `, ''));
}

test.each<[string, string[], string[], string[]]>([
  ['a/b', [], [], []],
  ['/a', [], [ABSOLUTE], [ABSOLUTE]],
  ['a/../../b', [CLIMBS], [CLIMBS], [CLIMBS]],
  ['/..', [CLIMBS], [ABSOLUTE, CLIMBS], [ABSOLUTE, CLIMBS]],
  ['..data', [], [], [RESERVED]],
  ['../a', [CLIMBS], [CLIMBS], [CLIMBS]],
])('%s: without backsteps, descending, not reserved', (text, backsteps, descending, reserved) => {
  expect(messagesOf(validatePathNoBacksteps, text)).toEqual(backsteps);
  expect(messagesOf(validateLocalDescendingPath, text)).toEqual(descending);
  expect(messagesOf(validateLocalNonReservedPath, text)).toEqual(reserved);
});
