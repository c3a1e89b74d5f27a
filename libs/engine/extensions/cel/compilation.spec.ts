import { expect, test } from '@jest/globals';
import type { StructuralSchema, ValidationRule } from '../schema/structural-schema.js';
import { rulesOf } from './compilation.js';

const schema = (...rules: ValidationRule[]): StructuralSchema => ({
  type: 'integer',
  'x-kubernetes-validations': rules,
});

test('rules are compiled once for a schema', () => {
  const once = schema({ rule: 'self > 0' });
  expect(rulesOf(once, once, false)).toBe(rulesOf(once, once, false));
});

test('a schema without rules or without a type has none', () => {
  expect(rulesOf({ type: 'integer' }, { type: 'integer' }, false)).toEqual([]);
  expect(rulesOf({ 'x-kubernetes-validations': [{ rule: 'true' }] }, {}, false)).toEqual([]);
});

test.each<[ValidationRule, { program: boolean; message: boolean; usesOld: boolean }]>([
  [{ rule: 'self > 0' }, { program: true, message: false, usesOld: false }],
  [{ rule: 'self > oldSelf' }, { program: true, message: false, usesOld: true }],
  [
    { rule: 'oldSelf.hasValue()', optionalOldSelf: true },
    { program: true, message: false, usesOld: true },
  ],
  [
    { rule: 'self > 0', messageExpression: '"is " + string(self)' },
    { program: true, message: true, usesOld: false },
  ],
  [
    { rule: 'self > 0', messageExpression: 'self.none' },
    { program: true, message: false, usesOld: false },
  ],
])('%j', (rule, expected) => {
  const [compiled] = rulesOf(schema(rule), schema(rule), false);
  expect({ program: !!compiled!.program, message: !!compiled!.message, usesOld: compiled!.usesOld }).toEqual(expected);
});

test('a rule that does not compile keeps its error', () => {
  const [compiled] = rulesOf(schema({ rule: 'self >' }), schema(), false);
  expect([compiled!.program, compiled!.error]).toEqual([undefined, expect.stringContaining('Syntax error')]);
});

test('a rule within allOf has the type of the schema around it', () => {
  const branch: StructuralSchema = { 'x-kubernetes-validations': [{ rule: 'self > 0' }] };
  expect(rulesOf(branch, { type: 'integer', allOf: [branch] }, false)[0]!.error).toBeUndefined();
});
