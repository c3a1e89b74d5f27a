import { expect, test } from '@jest/globals';
import { copyPlain } from './copy.js';

test('a copy shares nothing, and leaves out what JSON leaves out', () => {
  const inner = { list: [1, 'a', null], gone: undefined };
  const data = { inner, flag: true } as never;
  const copy = copyPlain(data) as { inner: typeof inner };
  expect(JSON.stringify(copy)).toBe(JSON.stringify(data));
  expect(Object.keys(copy.inner)).toEqual(['list']);
  copy.inner.list.push(2);
  expect(inner.list).toHaveLength(3);
});
