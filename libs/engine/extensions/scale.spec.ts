import { expect, test } from '@jest/globals';
import { validateScale } from './scale.js';

const PATH = '.spec.replicas';
test.each<[string, unknown, string[]]>([
  ['none', {}, []],
  ['no spec', undefined, []],
  ['zero', { replicas: 0 }, []],
  ['the most', { replicas: 2_147_483_647 }, []],
  ['fewer than none', { replicas: -1 }, ['.spec.replicas: Invalid value: -1: should be a non-negative integer']],
  [
    'too many',
    { replicas: 2_147_483_648 },
    ['.spec.replicas: Invalid value: 2147483648: should be less than or equal to 2147483647'],
  ],
  [
    'a text',
    { replicas: '3' },
    ['.spec.replicas: Invalid value: 0: .spec.replicas accessor error: 3 is of the type string, expected int64'],
  ],
  [
    'a fraction',
    { replicas: 1.5 },
    ['.spec.replicas: Invalid value: 0: .spec.replicas accessor error: 1.5 is of the type float64, expected int64'],
  ],
  [
    'null',
    { replicas: null },
    ['.spec.replicas: Invalid value: 0: .spec.replicas accessor error: <nil> is of the type <nil>, expected int64'],
  ],
  [
    'an object',
    { replicas: { b: 1, a: [true, 'x'] } },
    [
      '.spec.replicas: Invalid value: 0: .spec.replicas accessor error: map[a:[true x] b:1] is of the type map[string]interface {}, expected int64',
    ],
  ],
  [
    'below a text',
    'x',
    [
      '.spec.replicas: Invalid value: 0: .spec.replicas accessor error: x is of the type string, expected map[string]interface{}',
    ],
  ],
])('replicas that are %s', (_, spec, errors) =>
  expect(validateScale({ spec } as never, PATH).map((e) => e.message)).toEqual(errors),
);

test('a kind without a scale has no replicas to validate', () =>
  expect(validateScale({ spec: { replicas: -1 } } as never, undefined)).toEqual([]));
