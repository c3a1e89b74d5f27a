import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { CredentialWatch } from './credential-watch.js';

const DAY_MS = 24 * 60 * 60_000;

let valid: Set<string>;
let ended: string[];
let isAllowed: (name: string) => Promise<boolean>;
let watch: CredentialWatch;
beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
  valid = new Set(['a', 'b', 'c']);
  ended = [];
  isAllowed = async (name) => valid.has(name);
  watch = new CredentialWatch();
});
afterEach(() => void jest.useRealTimers());

const add = (name: string, { expiresAt, identifiedAt = 0 }: { expiresAt?: number; identifiedAt?: number } = {}) =>
  watch.add({ tenantId: 't1', expiresAt, identifiedAt, isAllowed: () => isAllowed(name) }, () => void ended.push(name));
const flush = () => jest.advanceTimersByTimeAsync(0);

test('a connection ends with its credential, also one that ends in months', async () => {
  add('a', { expiresAt: 1_000 });
  add('b', { expiresAt: 100 * DAY_MS });
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
  watch.forget();
  add('unknown');
  add('unknown, and not changed since', { identifiedAt: watch.changes });
  await flush();
  expect(ended).toEqual(['unknown']);
});

test('a database that does not answer ends nothing, and is asked again', async () => {
  add('a');
  add('b');
  valid.delete('a');
  isAllowed = () => Promise.reject(new Error('connection refused'));
  watch.forget();
  await flush();
  expect(ended).toEqual([]);
  isAllowed = async (name) => valid.has(name);
  await jest.advanceTimersByTimeAsync(2_000);
  expect(ended).toEqual(['a']);
});

test('a thousand streams are checked a few at a time, once for changes that come together', async () => {
  let [atOnce, most, checks] = [0, 0, 0];
  isAllowed = async () => {
    most = Math.max(most, ++atOnce);
    checks++;
    await Promise.resolve();
    atOnce--;
    return false;
  };
  for (let i = 0; i < 1_000; i++) add(String(i));
  watch.forget();
  watch.forget('t1');
  await flush();
  expect([most, ended.length, checks <= 1_010]).toEqual([8, 1_000, true]);
});

test('a connection that is closed is watched no more', async () => {
  const stop = add('a', { expiresAt: 1_000 });
  stop();
  valid.clear();
  watch.forget();
  await jest.advanceTimersByTimeAsync(2_000);
  expect(ended).toEqual([]);
});
