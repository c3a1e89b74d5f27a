import { describe, expect, test } from '@jest/globals';
import type { Plain } from '../../../kernel/process/program.js';
import { SeededRandom } from '../../../machinery/random.js';
import { applyPatch, diffPlain, type PlainPatch } from './plain-patch.js';

const LONG = 'x'.repeat(50);
const own = (json: string): Plain => JSON.parse(json) as Plain;

test.each<[string, Plain, Plain, PlainPatch | undefined]>([
  ['nothing', { a: [1, { b: 'x' }] }, { a: [1, { b: 'x' }] }, undefined],
  ['another value', { a: 1, b: 2 }, { a: 1, b: 3 }, { in: { b: { set: 3 } } }],
  ['a new field', {}, { a: null }, { in: { a: { set: null } } }],
  ['a field that is gone', { a: 1, b: 2 }, { b: 2 }, { in: {}, gone: ['a'] }],
  ['a field in the place of another', { a: 1 }, { b: 1 }, { in: { b: { set: 1 } }, gone: ['a'] }],
  ['the end of a text', { a: LONG }, { a: `${LONG}yz` }, { in: { a: { text: [50, 0, 'yz'] } } }],
  ['the start of a text', `ab${LONG}`, LONG, { text: [0, 2, ''] }],
  ['the middle of a text', `${LONG}ab${LONG}`, `${LONG}cde${LONG}`, { text: [50, 2, 'cde'] }],
  ['a short text', 'abc', 'abd', { set: 'abd' }],
  ['a place of a list', [1, 2, 3], [1, 5, 3], { in: { 1: { set: 5 } } }],
  ['a longer list', [1, 2, 3], [1, 2, 4, 3], { list: [2, 0, [4]] }],
  ['a shorter list', [1, { a: 1 }, 3], [1, 3], { list: [1, 1, []] }],
  ['another type', { a: [] }, { a: {} }, { in: { a: { set: {} } } }],
  ['a field of an inherited name', {}, { constructor: 1 }, { in: { constructor: { set: 1 } } }],
])('%s', (_case, before, next, patch) => {
  expect(diffPlain(before, next)).toEqual(patch);
  if (patch) expect(applyPatch(before, patch)).toEqual(next);
});

test('a field that is undefined is not there', () => {
  const next = { b: 1 } as Record<string, Plain>;
  expect(diffPlain({ b: 1 }, { ...next, a: undefined } as unknown as Plain)).toBeUndefined();
  expect(diffPlain({ a: 1, b: 1 }, { ...next, a: undefined } as unknown as Plain)).toEqual({ in: {}, gone: ['a'] });
});

test('__proto__ is a field like any other', () => {
  const [before, next] = [own('{"a":{}}'), own('{"a":{"__proto__":{"x":1}}}')];
  const patch = JSON.parse(JSON.stringify(diffPlain(before, next))) as PlainPatch;
  expect(JSON.stringify(applyPatch(before, patch))).toBe(JSON.stringify(next));
  expect(diffPlain(next, next)).toBeUndefined();
});

test('what has not changed is shared, and nothing is changed in place', () => {
  const before = { a: { deep: [1] }, b: 'x' };
  const kept = JSON.stringify(before);
  const after = applyPatch(before, diffPlain(before, { a: { deep: [1] }, b: 'y' })!) as typeof before;
  expect(after.a).toBe(before.a);
  expect(JSON.stringify(before)).toBe(kept);
});

/** A random change somewhere in a value. */
function change(value: Plain, random: SeededRandom): Plain {
  const draw = (below: number): number => Math.floor(random.next() * below);
  const leaf = (): Plain => [null, draw(9), 'ab'.repeat(draw(40)), true, [draw(3)], { k: draw(3) }][draw(6)]!;
  if (draw(4) === 0 || typeof value !== 'object' || value === null) {
    if (typeof value !== 'string') return leaf();
    const at = draw(value.length + 1);
    return value.slice(0, at) + 'c'.repeat(draw(5)) + value.slice(at + draw(5));
  }
  const at = draw(6);
  if (!Array.isArray(value)) {
    const { [`f${at}`]: old, ...rest } = value;
    return draw(3) === 0 ? rest : { ...rest, [`f${at}`]: old === undefined ? leaf() : change(old, random) };
  }
  const old = value[at];
  return value.toSpliced(at, draw(3), ...(old === undefined ? [leaf()] : [change(old, random), leaf()]));
}

describe('any chain of changes', () => {
  test.each([1, 2, 3, 4])('of seed %d is found again from its patches, which are JSON', (seed) => {
    const random = new SeededRandom(seed);
    let [value, found]: [Plain, Plain] = [
      { f0: LONG, f1: [LONG, {}], f2: {} },
      { f0: LONG, f1: [LONG, {}], f2: {} },
    ];
    for (let i = 0; i < 500; i++) {
      const next = change(value, random);
      const patch = diffPlain(found, next);
      if (patch) found = applyPatch(found, JSON.parse(JSON.stringify(patch)) as PlainPatch);
      expect(found).toEqual(next);
      value = next;
    }
  });
});
