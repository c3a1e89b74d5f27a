import { expect, test } from '@jest/globals';
import { loadPatiently } from './load-patiently.js';

const gone = new Error('Failed to fetch');
const failing = (times: number) => {
  let left = times;
  return () => (left-- > 0 ? Promise.reject(gone) : Promise.resolve('a view'));
};

test('what comes at once waits for nothing', async () => {
  expect(await loadPatiently(failing(0), () => Promise.reject(new Error('asked')))).toBe('a view');
});

test('what does not come is loaded when the server answers again', async () => {
  let answer: () => void = () => undefined;
  let isLoaded = false;
  const loading = loadPatiently(failing(1), () => new Promise((resolve) => (answer = resolve)));
  void loading.then(() => (isLoaded = true));
  await new Promise((resolve) => setTimeout(resolve));
  expect(isLoaded).toBe(false);
  answer();
  expect(await loading).toBe('a view');
});

test('what does not come from a server that answers is given up', async () => {
  await expect(loadPatiently(failing(2), () => Promise.resolve())).rejects.toBe(gone);
});
