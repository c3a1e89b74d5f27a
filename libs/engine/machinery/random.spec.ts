import { expect, test } from '@jest/globals';
import { SeededRandom } from './random.js';

test('the same seed and stream give the same draws', () => {
  const draws = (seed: number, stream: number) => {
    const r = new SeededRandom(seed, stream);
    return [r.uuid(), r.suffix(5), r.below(1000)];
  };
  expect(draws(1, 7)).toEqual(draws(1, 7));
  expect(draws(1, 7)).not.toEqual(draws(1, 8));
  expect(draws(1, 7)).not.toEqual(draws(2, 7));
});

test('uuids are version 4, suffixes use the safe alphabet', () => {
  const r = new SeededRandom(42);
  for (let i = 0; i < 200; i++) {
    expect(r.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(r.suffix(5)).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  }
});

test('neighbouring streams do not collide', () => {
  const seen = new Set<string>();
  for (let stream = 0; stream < 5000; stream++) seen.add(new SeededRandom(1, stream).uuid());
  expect(seen.size).toBe(5000);
});
