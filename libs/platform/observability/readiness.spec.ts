import { beforeEach, expect, test } from '@jest/globals';
import { Readiness } from './readiness.js';

const CHECK_MS = 30;
let readiness: Readiness;
beforeEach(() => void (readiness = new Readiness(CHECK_MS)));

test('a process is not ready while it starts', async () => {
  expect(await readiness.problem()).toBe('the process is starting');
  readiness.markReady();
  expect(await readiness.problem()).toBeUndefined();
});

test('a process that ends does not become ready again', async () => {
  readiness.markReady();
  readiness.drain();
  readiness.markReady();
  expect(await readiness.problem()).toBe('the process is draining');
});

test.each<[string, () => Promise<unknown>]>([
  ['refuses', () => Promise.reject(new Error('connection refused'))],
  ['is silent', () => new Promise(() => undefined)],
])('a process is not ready while its database %s', async (_, check) => {
  readiness.markReady();
  readiness.checkWith(check);
  expect(await readiness.problem()).toBe('the database does not answer');
  readiness.checkWith(() => Promise.resolve());
  expect(await readiness.problem()).toBeUndefined();
});
