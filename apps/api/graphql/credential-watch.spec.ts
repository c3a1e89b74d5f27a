import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Principal } from '@terrarium/platform';
import { CredentialWatch } from './credential-watch.js';

const DAY_MS = 24 * 60 * 60_000;

let valid: Set<string>;
let ended: string[];
let identify: (authorization: string | undefined) => Promise<Principal | undefined>;
let watch: CredentialWatch;
beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
  valid = new Set(['a', 'b', 'c']);
  ended = [];
  identify = async (authorization = '') => (valid.has(authorization) ? principalOf('t1') : undefined);
  watch = new CredentialWatch({ identify: (authorization) => identify(authorization) });
});
afterEach(() => void jest.useRealTimers());

const principalOf = (tenantId: string, expiresAt?: number): Principal => ({
  kind: 'key',
  ...{ tenantId, userId: 'u1', userName: 'jane', keyId: 'k1', scope: 'read', expiresAt },
});
const add = (name: string, principal = principalOf('t1')): (() => void) =>
  watch.add(name, principal, () => void ended.push(name));
const flush = () => jest.advanceTimersByTimeAsync(0);

test('a connection ends with its credential, also one that ends in months', async () => {
  add('a', principalOf('t1', 1_000));
  add('b', principalOf('t1', 100 * DAY_MS));
  add('c');
  await jest.advanceTimersByTimeAsync(999);
  expect(ended).toEqual([]);
  await jest.advanceTimersByTimeAsync(1);
  expect(ended).toEqual(['a']);
  await jest.advanceTimersByTimeAsync(100 * DAY_MS - 1_001);
  expect(ended).toEqual(['a']);
  await jest.advanceTimersByTimeAsync(1);
  expect(ended).toEqual(['a', 'b']);
});

test('a connection ends when its credential is refused, after its tenant has changed', async () => {
  add('a');
  add('b');
  valid.delete('a');
  watch.forget('t2');
  await flush();
  expect(ended).toEqual([]);
  watch.forget('t1');
  await flush();
  expect(ended).toEqual(['a']);
  valid.delete('b');
  watch.forget();
  watch.forget();
  await flush();
  expect(ended).toEqual(['a', 'b']);
});

test('a credential that was refused meanwhile ends its connection at once', async () => {
  add('unknown');
  await flush();
  expect(ended).toEqual(['unknown']);
});

test('a database that does not answer ends nothing', async () => {
  add('a');
  identify = () => Promise.reject(new Error('connection refused'));
  watch.forget();
  await flush();
  expect(ended).toEqual([]);
});

test('a connection that is closed is watched no more', async () => {
  const stop = add('a', principalOf('t1', 1_000));
  stop();
  valid.clear();
  watch.forget();
  await jest.advanceTimersByTimeAsync(2_000);
  expect(ended).toEqual([]);
});
