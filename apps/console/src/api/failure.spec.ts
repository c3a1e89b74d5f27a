import { expect, test } from '@jest/globals';
import { Failure, toFailure } from './failure.js';

const own = new Failure('no', 404);

test.each<[string, unknown, Partial<Failure>]>([
  ['a failure is itself', own, own],
  [
    'errors of GraphQL have the status of the first',
    [{ message: 'there is none', extensions: { status: 404, details: ['x'] } }],
    { message: 'there is none', status: 404, details: ['x'] },
  ],
  ['an error without a status had no answer', new Error('Failed to fetch'), { message: 'Failed to fetch', status: 0 }],
  ['anything else is told as it is', 'gone', { message: 'gone', status: 0 }],
])('%s', (_, error, expected) => {
  const failure = toFailure(error);
  expect(failure).toBeInstanceOf(Failure);
  expect({ message: failure.message, status: failure.status, details: failure.details }).toMatchObject({
    ...expected,
    message: expected.message,
  });
});
