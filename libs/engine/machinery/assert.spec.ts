import { expect, test } from '@jest/globals';
import { assert, AssertionError } from './assert.js';

test('a condition that holds passes', () => expect(() => assert(1, 'no')).not.toThrow());
test('a condition that does not hold throws', () => expect(() => assert(0, 'no')).toThrow(new AssertionError('no')));
