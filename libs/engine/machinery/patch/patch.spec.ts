import { describe, expect, test } from '@jest/globals';
import type { Json } from '../meta/object.js';
import { applyJsonPatch, applyMergePatch, goMap, jsonType } from './patch.js';

describe('JSON patch', () => {
  const target = { a: { b: [1, 2] } };
  test.each<[string, Json, Json]>([
    ['add', [{ op: 'add', path: '/a/b/-', value: 3 }], { a: { b: [1, 2, 3] } }],
    ['remove', [{ op: 'remove', path: '/a/b/0' }], { a: { b: [2] } }],
    ['replace everything', [{ op: 'replace', path: '', value: { c: 1 } }], { c: 1 }],
    [
      'test, then move',
      [
        { op: 'test', path: '/a/b/0', value: 1 },
        { op: 'move', from: '/a/b', path: '/c' },
      ],
      { a: {}, c: [1, 2] },
    ],
  ])('%s', (_, patch, expected) => expect(applyJsonPatch(target, patch)).toEqual(expected));
  test.each<[string, Json, number]>([
    ['not a list', {}, 400],
    ['a failed test', [{ op: 'test', path: '/a/b/0', value: 9 }], 422],
    ['a missing path', [{ op: 'remove', path: '/x' }], 422],
    ['an unknown operation', [{ op: 'frob', path: '/a' }], 422],
    [
      'copies that double',
      [
        { op: 'add', path: '/a/c', value: ['x'.repeat(1000)] },
        ...Array.from({ length: 40 }, () => ({ op: 'copy', from: '/a/c', path: '/a/c/-' })),
      ],
      422,
    ],
  ])('%s is refused', (_, patch, code) =>
    expect(() => applyJsonPatch(target, patch)).toThrow(expect.objectContaining({ code })),
  );
  test('leaves its target alone', () => expect(target).toEqual({ a: { b: [1, 2] } }));
});

test.each<[Json, Json, Json]>([
  [{ a: 'b' }, { a: null, c: { d: null, e: 1 } }, { c: { e: 1 } }],
  [{ a: [1] }, { a: [2, 3] }, { a: [2, 3] }],
  [{ a: 1 }, [1], [1]],
])('merge patch: %j + %j = %j', (target, patch, expected) => expect(applyMergePatch(target, patch)).toEqual(expected));

test.each([
  [{ op: 'move', from: '/__proto__', path: '/a/b' }],
  [{ op: 'move', from: '/constructor', path: '/a/b' }],
  [{ op: 'copy', from: '/toString', path: '/a/b' }],
  [{ op: 'add', path: '/__proto__/polluted', value: 1 }],
  [{ op: 'test', path: '/list/length', value: 1 }],
  [{ op: 'remove', path: '/a/constructor/name' }],
  [{ op: 'add', path: '/a/valueOf/x', value: 1 }],
  [{ op: 'copy', from: '/list/push', path: '/x' }],
])('%j does not leave the document', (operation) => {
  expect(() => applyJsonPatch({ a: { b: 1 }, list: [1] }, [operation])).toThrow(
    expect.objectContaining({ code: 422 }) as unknown as Error,
  );
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('a member may have the name of a method', () => {
  expect(
    applyJsonPatch({ a: {} }, [
      { op: 'add', path: '/a/toString', value: 1 },
      { op: 'test', path: '/a/toString', value: 1 },
    ]),
  ).toEqual({ a: { toString: 1 } });
});

test.each<[string, object[], object]>([
  [
    'a replacement of what is not there adds it',
    [{ op: 'replace', path: '/new', value: 1 }],
    { a: { b: 1 }, list: [1, 2], new: 1 },
  ],
  ['what has no value is null', [{ op: 'add', path: '/a' }], { a: null, list: [1, 2] }],
  ['an index counts from the end', [{ op: 'remove', path: '/list/-1' }], { a: { b: 1 }, list: [1] }],
])('%s', (_, operations, result) =>
  expect(applyJsonPatch({ a: { b: 1 }, list: [1, 2] }, operations as never)).toEqual(result),
);

test('a path begins with a slash', () =>
  expect(() => applyJsonPatch({}, [{ op: 'add', path: 'a', value: 1 }])).toThrow(
    expect.objectContaining({ code: 422 }) as unknown as Error,
  ));

test.each<[Json, string, string]>([
  [null, 'null', '<nil>'],
  [[1, 'a'], 'array', '[1 a]'],
  [{ b: 1, a: { c: true } }, 'object', 'map[a:map[c:true] b:1]'],
  ['a', 'string', 'a'],
])('%j is of type %s, printed by Go as %s', (value, type, text) =>
  expect([jsonType(value), goMap(value)]).toEqual([type, text]),
);
