import { expect, test } from '@jest/globals';
import { addImage } from './images.js';

const image = (name: string): { names: string[]; sizeBytes: number } => ({
  names: [`${name}@sha256:1`, `${name}:1`],
  sizeBytes: 1,
});

test('the newest image stands first', () => {
  expect(addImage([image('a')], image('b'))).toEqual([image('b'), image('a')]);
});
test('an image that the node has already changes nothing', () => {
  const images = [image('a'), image('b')];
  expect(addImage(images, image('b'))).toBe(images);
});
test('a node reports 50 images at most', () => {
  const images = Array.from({ length: 50 }, (_, i) => image(`i${i}`));
  const next = addImage(images, image('new'));
  expect([next.length, next[0], next.at(-1)]).toEqual([50, image('new'), image('i48')]);
});
