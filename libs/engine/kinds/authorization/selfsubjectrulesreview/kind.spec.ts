import { expect, test } from '@jest/globals';
import { evaluate } from '../testing.js';
import { kind } from './kind.js';

test('lists the rules of the user in a namespace, without repeating the question', () => {
  const { spec, status } = evaluate(kind, { spec: { namespace: 'default' } });
  expect([spec, status]).toEqual([{}, { resourceRules: [], nonResourceRules: [], incomplete: false }]);
});

test('needs a namespace', () => expect(() => evaluate(kind, {})).toThrow('no namespace on request'));
