import { expect, test } from '@jest/globals';
import { parseInt64 } from './int64.js';

test.each<[string | undefined, bigint | undefined]>([
  ['0', 0n],
  ['-12', -12n],
  ['+12', 12n],
  ['007', 7n],
  ['9223372036854775807', 9223372036854775807n],
  ['9223372036854775808', undefined],
  ['-9223372036854775808', -9223372036854775808n],
  ['1.5', undefined],
  ['', undefined],
  [' 1', undefined],
  [undefined, undefined],
])('%j is %s', (text, expected) => expect(parseInt64(text)).toBe(expected));
