import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { sessionCookie, takeSession, writeCookie } from './session-cookie.js';

const cookie = sessionCookie({ publicUrl: 'http://localhost:8080' });

test.each([
  ['http://localhost:8080', 'terrarium_session_8080', false],
  ['https://k8s.example.com', 'terrarium_session', true],
])('of %s is called %s', (publicUrl, name, isSecure) =>
  expect(sessionCookie({ publicUrl })).toEqual({ name, isSecure }),
);

test('no script and no other site gets it', () => {
  expect(writeCookie(cookie, 'ts_1', 60)).toBe(
    'terrarium_session_8080=ts_1; Path=/; Max-Age=60; HttpOnly; SameSite=Strict',
  );
  expect(writeCookie({ ...cookie, isSecure: true }, undefined, 60)).toMatch(
    /^terrarium_session_8080=; .*Max-Age=0.*; Secure$/,
  );
});

const sent = 'terrarium_session_8080=ts_1';
const page = { 'x-terrarium-console': '1', host: 'localhost:8080' };
const socket = { upgrade: 'websocket', host: 'localhost:8080' };

describe('a request has the session of its cookie', () => {
  test.each<[string, IncomingHttpHeaders]>([
    ['of a fetch of our page', { ...page, cookie: sent }],
    ['of a fetch that names our origin', { ...page, origin: 'http://localhost:8080', cookie: `a=b; ${sent}` }],
    ['of a WebSocket of our page', { ...socket, origin: 'http://localhost:8080', cookie: sent }],
  ])('%s', (_, headers) => {
    takeSession({ headers }, cookie);
    expect(headers.authorization).toBe('Bearer ts_1');
    expect(headers.cookie ?? '').not.toContain('ts_1');
  });

  test.each<[string, IncomingHttpHeaders]>([
    ['not a link or a form', { host: 'localhost:8080', cookie: sent }],
    ['not a form of another origin', { host: 'localhost:8080', origin: 'https://evil.example', cookie: sent }],
    ['not a fetch of another origin', { ...page, origin: 'https://evil.example', cookie: sent }],
    ['not a fetch of a page in a sandbox', { ...page, origin: 'null', cookie: sent }],
    ['not a WebSocket of another origin', { ...socket, origin: 'https://evil.example', cookie: sent }],
    ['not a WebSocket without an origin', { ...socket, cookie: sent }],
    ['not of another service on this host', { ...page, cookie: 'terrarium_session_9090=ts_1' }],
  ])('%s', (_, headers) => {
    takeSession({ headers }, cookie);
    expect(headers.authorization).toBeUndefined();
  });

  test('a key comes first, and the cluster sees no session', () => {
    const headers: IncomingHttpHeaders = { ...page, cookie: `a=b; ${sent}; c=d`, authorization: 'Bearer tk_1' };
    takeSession({ headers }, cookie);
    expect(headers).toMatchObject({ authorization: 'Bearer tk_1', cookie: 'a=b; c=d' });
  });
});
