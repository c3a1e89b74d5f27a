import { describe, expect, it } from '@jest/globals';
import { shareEqual, shareWithin } from './share-equal.js';

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

describe('what two values have in common', () => {
  const old = { a: { x: [1, { y: 'z' }], empty: {} }, b: [{ c: 1 }, { c: 2 }], text: 'same', none: null };

  it('is the old value where all is equal', () => {
    expect(shareEqual(old, copy(old))).toBe(old);
    expect(shareEqual(old.b, copy(old.b))).toBe(old.b);
  });

  it.each<
    [what: string, next: object, shared: (value: typeof old) => unknown[], other: (value: typeof old) => unknown[]]
  >([
    ['a changed leaf', { ...copy(old), text: 'other' }, (v) => [v.a, v.b], (v) => [v]],
    ['a changed item', { ...copy(old), b: [{ c: 1 }, { c: 3 }] }, (v) => [v.a, v.b[0]], (v) => [v, v.b, v.b[1]]],
    ['a longer list', { ...copy(old), b: [...copy(old.b), { c: 3 }] }, (v) => [v.b[0], v.b[1]], (v) => [v, v.b]],
    ['a shorter list', { ...copy(old), b: [{ c: 1 }] }, (v) => [v.b[0]], (v) => [v, v.b]],
    ['a new field', { ...copy(old), more: 1 }, (v) => [v.a, v.b], (v) => [v]],
    ['a field less', { a: copy(old.a), b: copy(old.b), text: 'same' }, (v) => [v.a, v.b], (v) => [v]],
    [
      'another order of fields',
      { a: { empty: {}, x: copy(old.a.x) }, b: copy(old.b) },
      (v) => [v.a.x, v.b],
      (v) => [v.a],
    ],
    ['another type', { ...copy(old), b: { 0: { c: 1 }, 1: { c: 2 } } }, (v) => [v.a], (v) => [v.b]],
  ])('%s', (_, next, shared, other) => {
    const text = JSON.stringify(next);
    const result = shareEqual(old, next) as typeof old;
    expect(JSON.stringify(result)).toBe(text);
    expect(shared(result).every((part, i) => part === shared(old)[i])).toBe(true);
    expect(other(result).some((part, i) => part === other(old)[i])).toBe(false);
  });

  it('does not go by what every object has', () => {
    const next = JSON.parse('{"constructor":{"name":"Object"},"__proto__":{"a":1}}') as object;
    const text = JSON.stringify(next);
    expect(JSON.stringify(shareEqual({}, next))).toBe(text);
  });

  it('leaves a value that stays one of its own', () => {
    const next = copy(old);
    shareWithin(old, next);
    expect(next).not.toBe(old);
    expect([next.a, next.b]).toEqual([old.a, old.b]);
    expect(next.a).toBe(old.a);
  });
});
