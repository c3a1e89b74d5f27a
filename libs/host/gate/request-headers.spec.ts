import { expect, test } from '@jest/globals';
import { requestHeaders } from './request-headers.js';

test.each<[string, string[], Record<string, string>]>([
  ['none of them', [], {}],
  ['one', ['Impersonate-User', 'jane'], { 'impersonate-user': 'jane' }],
  [
    'one that repeats, with a comma in it',
    ['Impersonate-Group', 'a,b', 'impersonate-group', 'c'],
    { 'impersonate-group': 'a,b\nc' },
  ],
])('impersonation headers: %s', (_, rawHeaders, expected) => {
  const headers = { accept: 'application/json', ...(rawHeaders.length > 0 ? { 'impersonate-group': 'a,b, c' } : {}) };
  expect(requestHeaders({ headers, rawHeaders })).toEqual({ ...headers, ...expected });
});

test('without impersonation the headers are not copied', () => {
  const headers = { accept: 'application/json' };
  expect(requestHeaders({ headers, rawHeaders: ['Accept', 'application/json'] })).toBe(headers);
});
