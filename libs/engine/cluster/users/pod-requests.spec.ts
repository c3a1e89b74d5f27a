import { expect, test } from '@jest/globals';
import type { PodHttpRequest } from '../../machinery/requests/http.js';
import { toApiRequest, toPodAnswer } from './pod-requests.js';

const request: PodHttpRequest = {
  scheme: 'https',
  port: 6443,
  method: 'POST',
  path: '/api/v1/pods?limit=1&a=?',
  headers: { authorization: 'Bearer x' },
  body: 'ü',
};

test('a request is split into path and query, and its body into bytes', () => {
  expect(toApiRequest(request)).toEqual({
    method: 'POST',
    path: '/api/v1/pods',
    query: 'limit=1&a=?',
    headers: { authorization: 'Bearer x' },
    body: Uint8Array.of(0xc3, 0xbc),
  });
  expect(toApiRequest({ ...request, path: '/version', body: '' })).toEqual({
    method: 'POST',
    path: '/version',
    query: '',
    headers: { authorization: 'Bearer x' },
  });
});

test('an answer keeps its text; a watch is what there is now', () => {
  const headers = { 'content-type': 'application/json', warning: ['a', 'b'] };
  expect(toPodAnswer({ type: 'body', status: 404, headers, body: Uint8Array.of(0xc3, 0xbc) })).toEqual({
    status: 404,
    headers: { 'content-type': 'application/json', warning: 'a, b' },
    body: 'ü',
  });
  const watch = { type: 'watch', status: 200, headers: {}, initial: ['{}\n', '{}\n'] };
  expect(toPodAnswer(watch as never)).toEqual({ status: 200, headers: {}, body: '{}\n{}\n' });
});
