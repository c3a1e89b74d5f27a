import { expect, test } from '@jest/globals';
import { createStore } from './store.js';

test('a store tells its listeners of another value, and of the same one nothing', () => {
  const store = createStore(1);
  const heard: number[] = [];
  const leave = store.subscribe(() => heard.push(store.get()));
  for (const value of [1, 2, 2, 3]) store.set(value);
  leave();
  store.set(4);
  expect(heard).toEqual([2, 3]);
  expect(store.get()).toBe(4);
});
