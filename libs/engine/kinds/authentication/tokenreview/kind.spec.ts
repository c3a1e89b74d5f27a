import { expect, test } from '@jest/globals';
import { evaluate } from '../../authorization/testing.js';
import { kind } from './kind.js';

test('a token that nobody signed is refused', () =>
  expect(evaluate(kind, { spec: { token: 'x' } }).status).toEqual({ user: {}, error: 'invalid bearer token' }));

test('a token is required', () =>
  expect(() => evaluate(kind, {})).toThrow('token is required for TokenReview in authentication'));
