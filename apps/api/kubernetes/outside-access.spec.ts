import type { IncomingHttpHeaders } from 'node:http';
import { expect, test } from '@jest/globals';
import { keepToken, outsideAccess, tokenOfQuery } from './outside-access.js';

test.each<[string, IncomingHttpHeaders, string, (string | undefined)[]]>([
  ['nobody', {}, '', [undefined, undefined, undefined]],
  ['a key', { authorization: 'Bearer tk_a' }, '', ['Bearer tk_a', undefined, undefined]],
  ['a token of the cluster', { authorization: 'bearer tc_a' }, '', ['bearer tc_a', undefined, undefined]],
  ['what is for the server', { authorization: 'Basic eA==' }, '', [undefined, 'Basic eA==', undefined]],
  ['a cookie', { cookie: 'a=b; terrarium_token=tc_a; c=d' }, '', ['Bearer tc_a', undefined, 'a=b; c=d']],
  [
    'a cookie beside what is for the server',
    { cookie: 'terrarium_token=tc_a', authorization: 'Basic eA==' },
    '',
    ['Bearer tc_a', 'Basic eA==', undefined],
  ],
  ['a query', { cookie: 'terrarium_token=tc_a' }, 'x=1&terrarium_token=tc_b', ['Bearer tc_b', undefined, undefined]],
  ['no token', { cookie: 'terrarium_token=a b' }, '', [undefined, undefined, undefined]],
])('%s', (_case, headers, query, expected) => {
  const { credential, passed, cookie } = outsideAccess(headers, query);
  expect([credential, passed, cookie]).toEqual(expected);
});

test.each([
  ['/a', 'terrarium_token=tc_b', false, '/a', 'terrarium_token=tc_b; Path=/; HttpOnly; SameSite=Lax'],
  [
    '//evil.test',
    'terrarium_token=tc_b&x=1',
    false,
    '/evil.test?x=1',
    'terrarium_token=tc_b; Path=/; HttpOnly; SameSite=Lax',
  ],
  ['/', 'terrarium_token=tc_b', true, '/', 'terrarium_token=tc_b; Path=/; HttpOnly; SameSite=Lax; Secure'],
])('%s?%s goes on at %s', (path, query, isTls, location, cookie) => {
  expect(tokenOfQuery(query)).toBe('tc_b');
  expect(keepToken(path, query, isTls)).toEqual({ location, 'set-cookie': cookie });
});
