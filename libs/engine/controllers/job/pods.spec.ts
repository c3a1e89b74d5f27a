import { describe, expect, it } from '@jest/globals';
import { formatIndexes, parseIndexes } from './pods.js';

describe('completed indexes', () => {
  it.each([
    [[], ''],
    [[3], '3'],
    [[1, 0], '0,1'],
    [[0, 1, 2, 5, 7, 8], '0-2,5,7,8'],
  ])('%j are written %p', (indexes, text) => {
    expect(formatIndexes(indexes)).toBe(text);
    expect([...parseIndexes(text)].sort((a, b) => a - b)).toEqual([...indexes].sort((a, b) => a - b));
  });
});
