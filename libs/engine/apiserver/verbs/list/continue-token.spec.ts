import { expect, test } from '@jest/globals';
import { MINUTE } from '../../../machinery/time/time.js';
import { ContinueTokenExpired, decodeContinue, encodeContinue, isCompacted } from './continue-token.js';

const encode = (fields: unknown): string => Buffer.from(JSON.stringify(fields)).toString('base64url');
const V1 = 'meta.k8s.io/v1';

test('a token says the revision and the object to start behind', () => {
  const token = encodeContinue({ revision: 7, start: 'default/a', listedAt: 5 });
  expect(JSON.parse(Buffer.from(token, 'base64url').toString())).toEqual({
    v: V1,
    rv: 7,
    start: 'default/a\u0000',
    at: 5,
  });
  expect(decodeContinue(token)).toEqual({ revision: 7, start: 'default/a', listedAt: 5 });
});

test.each([
  [0, 9.9, false],
  [0, 10, true],
  [4.9, 5.1, false],
  [4.9, 9.9, false],
  [4.9, 10, true],
])('a token of minute %d in minute %d: compacted %s', (from, to, expected) =>
  expect(isCompacted({ revision: 7, start: 'a', listedAt: from * MINUTE }, to * MINUTE)).toBe(expected),
);

test.each([
  ['!!', 'illegal base64 data at input byte 0'],
  ['x'.repeat(2_049), 'the token is too long'],
  [encode(null), 'server does not recognize this encoded version '],
  [encode({ v: 'v2', rv: 1, start: 'a' }), 'server does not recognize this encoded version v2'],
  [encode({ v: V1, rv: 0, start: 'a' }), 'incorrect encoded start resourceVersion (version meta.k8s.io/v1)'],
  [encode({ v: V1, rv: '1', start: 'a' }), 'incorrect encoded start resourceVersion (version meta.k8s.io/v1)'],
  [encode({ v: V1, rv: 1, start: '' }), 'encoded start key empty (version meta.k8s.io/v1)'],
  [encode({ v: V1, rv: 1, start: '../a' }), '../a'],
])('%s is refused', (token, detail) =>
  expect(() => decodeContinue(token)).toThrow(
    expect.objectContaining({
      code: 400,
      message: `invalid continue token: continue key is not valid: ${detail}`,
    }) as unknown as Error,
  ),
);

test('an expired token comes with one that goes on with the current state', () => {
  const { metadata, ...status } = new ContinueTokenExpired('default/a').toStatus() as unknown as {
    metadata: { continue: string };
  };
  expect(status).toMatchObject({
    code: 410,
    reason: 'Expired',
    message:
      'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
  });
  expect(decodeContinue(metadata.continue)).toEqual({ revision: -1, start: 'default/a' });
});
