import { expect, test } from '@jest/globals';
import { fillSquare, pixelOf } from './dots.js';

test.each([
  ['in the middle', { x: 2, y: 2, side: 2 }, [5, 6, 9, 10]],
  ['over an edge', { x: 0, y: 0, side: 2 }, [0]],
  ['smaller than a pixel', { x: 3, y: 3, side: 0.1 }, [15]],
  ['beside the image', { x: 20, y: 2, side: 2 }, []],
  ['below it', { x: 2, y: 20, side: 2 }, []],
])('a square %s', (_name, square, filled) => {
  const pixels = new Uint32Array(16);
  fillSquare(pixels, { width: 4, height: 4 }, { ...square, colour: 7 });
  expect([...pixels.keys()].filter((i) => pixels[i] === 7)).toEqual(filled);
});

test.each([
  ['#010203', '#010203', 0, 0xff030201],
  ['#000000', '#ffffff', 1, 0xffffffff],
  ['#000000', '#ffffff', 0.5, 0xff808080],
])('%s towards %s by %d', (from, to, share, pixel) => expect(pixelOf(from, to, share)).toBe(pixel));
