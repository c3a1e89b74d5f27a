import { describe, expect, test } from '@jest/globals';
import { type Json, type JsonObject } from '../meta/object.js';
import { applyJsonPatch, applyMergePatch } from './patch.js';
import { applyStrategicPatch, type PatchField, type PatchType } from './strategic.js';

const type = (fields: Record<string, PatchField>): PatchType => ({ field: (name) => fields[name] });
const port = type({});
const container = type({
  ports: { type: port, strategies: ['merge'], mergeKey: 'containerPort' },
  args: { strategies: [] },
});
const podSpec = type({
  containers: { type: container, strategies: ['merge'], mergeKey: 'name' },
  tolerations: { type: type({}), strategies: [] },
  finalizers: { strategies: ['merge'] },
});
const pod = {
  containers: [
    { name: 'a', image: 'a:1', args: ['x'] },
    { name: 'b', image: 'b:1' },
  ],
  finalizers: ['one', 'two'],
  strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } },
};

describe('strategic merge', () => {
  test.each<[string, object, object]>([
    [
      'changes one container',
      { containers: [{ name: 'b', image: 'b:2' }] },
      {
        containers: [
          { name: 'a', image: 'a:1', args: ['x'] },
          { name: 'b', image: 'b:2' },
        ],
      },
    ],
    [
      'puts a new container first, as upstream',
      { containers: [{ name: 'c', image: 'c' }] },
      { containers: [{ name: 'c', image: 'c' }, ...pod.containers] },
    ],
    [
      'follows the given order',
      { '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }] },
      { containers: [pod.containers[1]!, pod.containers[0]!] },
    ],
    [
      'adds in the given order',
      { '$setElementOrder/containers': [{ name: 'a' }, { name: 'b' }, { name: 'c' }], containers: [{ name: 'c' }] },
      { containers: [...pod.containers, { name: 'c' }] },
    ],
    ['deletes a container', { containers: [{ name: 'a', $patch: 'delete' }] }, { containers: [pod.containers[1]!] }],
    ['replaces the list', { containers: [{ name: 'z' }, { $patch: 'replace' }] }, { containers: [{ name: 'z' }] }],
    [
      'replaces lists without a strategy',
      { containers: [{ name: 'a', args: ['y', 'z'] }] },
      { containers: [{ name: 'a', image: 'a:1', args: ['y', 'z'] }, pod.containers[1]!] },
    ],
    ['adds to lists of scalars', { finalizers: ['three', 'one'] }, { finalizers: ['three', 'one', 'two'] }],
    ['removes from lists of scalars', { '$deleteFromPrimitiveList/finalizers': ['one'] }, { finalizers: ['two'] }],
    ['retains keys', { strategy: { $retainKeys: ['type'], type: 'Recreate' } }, { strategy: { type: 'Recreate' } }],
    ['replaces a map', { strategy: { $patch: 'replace', type: 'Recreate' } }, { strategy: { type: 'Recreate' } }],
    ['removes by null', { finalizers: null, other: { a: null, b: 1 } }, { finalizers: undefined, other: { b: 1 } }],
  ])('%s', (_, patch, changed) => {
    const before = JSON.stringify(pod);
    const expected = JSON.parse(JSON.stringify({ ...pod, ...changed }));
    expect(applyStrategicPatch(pod as unknown as JsonObject, patch as JsonObject, podSpec)).toEqual(expected);
    expect(JSON.stringify(pod)).toBe(before);
  });
  test.each<[JsonObject, string]>([
    [{ containers: [{ image: 'x' }] }, 'does not contain declared merge key: name'],
    [{ strategy: { $patch: 'destroy' } }, 'unknown patch type: destroy in map: map[$patch:destroy]'],
  ])('%j is refused', (patch, message) =>
    expect(() => applyStrategicPatch(pod as unknown as JsonObject, patch, podSpec)).toThrow(message),
  );
});

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

test("a list with directives is told in Go's words", () => {
  const lists = { field: () => ({ strategies: ['merge'], mergeKey: 'name' }) };
  const patched = (items: object[]) => () =>
    applyStrategicPatch({ list: [{ name: 'a' }] }, { list: items } as never, lists);
  expect(patched([{ name: 'a', $patch: 'merge' }])).toThrow('merging lists cannot yet be specified in the patch');
  expect(patched([{ $patch: 'delete' }])).toThrow('map: map[$patch:delete] does not contain declared merge key: name');
  expect(() => applyStrategicPatch({ m: { a: 1 } }, { m: { $retainKeys: ['b'], a: 2 } }, undefined)).toThrow(
    'invalid patch format of retainKeys',
  );
});
