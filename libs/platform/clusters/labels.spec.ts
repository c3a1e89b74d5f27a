import { describe, expect, test } from '@jest/globals';
import { Labels, LabelsPatch, parseLabelSelector, patchLabels } from './labels.js';

const many = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`label-${i}`, 'x']));

test.each([[{}], [{ app: 'web' }], [{ 'example.com/course': 'CKA_2026.1' }], [{ empty: '' }], [many(32)]])(
  '%.60j are labels',
  (labels) => expect(Labels.parse(labels)).toEqual(labels),
);

test.each<[object, string]>([
  [{ 'a b': 'x' }, 'a b'],
  [{ 'a/b/c': 'x' }, 'a/b/c'],
  [{ a: 'x y' }, 'a'],
  [{ a: 'x'.repeat(64) }, 'a'],
  [{ a: 1 }, 'a'],
  [{ a: null }, 'a'],
  [many(33), ''],
])('%.60j are refused at %j', (labels, path) => {
  expect(Labels.safeParse(labels).error?.issues.map((issue) => issue.path.join('.'))).toContain(path);
});

describe('patchLabels', () => {
  test('sets, changes and removes', () => {
    const patch = LabelsPatch.parse({ b: '3', c: '4', a: null, absent: null });
    expect(patchLabels({ a: '1', b: '2', d: '5' }, patch)).toEqual({ b: '3', c: '4', d: '5' });
  });

  test('refuses too many together', () => {
    expect(() => patchLabels(many(32), { more: 'x' })).toThrow('labels: must not be more than 32 labels');
    expect(Object.keys(patchLabels(many(32), { more: 'x', 'label-0': null }))).toHaveLength(32);
  });
});

describe('a selector', () => {
  test.each<[string, Labels, Labels[], Labels[]]>([
    ['', {}, [{}, { a: 'b' }], []],
    ['a=b', { a: 'b' }, [{ a: 'b', c: 'd' }], [{ a: 'c' }, {}]],
    ['a==b, c in (d)', { a: 'b', c: 'd' }, [{ a: 'b', c: 'd' }], [{ a: 'b' }]],
    ['a!=b', {}, [{}, { a: 'c' }], [{ a: 'b' }]],
    ['a in (x,y),b', {}, [{ a: 'y', b: '' }], [{ a: 'y' }, { a: 'z', b: '' }]],
    ['!a,course=cka', { course: 'cka' }, [{ course: 'cka' }], [{ course: 'cka', a: '' }]],
  ])('%j', (text, pairs, matching, others) => {
    const selector = parseLabelSelector(text);
    expect(selector.pairs).toEqual(pairs);
    expect(matching.map((labels) => selector.matches(labels))).toEqual(matching.map(() => true));
    expect(others.map((labels) => selector.matches(labels))).toEqual(others.map(() => false));
  });

  test.each([
    ['a=b=c', "labelSelector: found '=', expected: ',' or 'end of string'"],
    ['a,', "labelSelector: found '', expected: identifier after ','"],
    ['a'.repeat(2_001), 'labelSelector: must not be longer than 2000 characters'],
  ])('%.20j is refused', (text, message) => {
    expect(() => parseLabelSelector(text)).toThrow(expect.objectContaining({ status: 400, message }));
  });
});
