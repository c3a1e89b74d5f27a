import { describe, expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../meta/object.js';
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

describe('$setElementOrder', () => {
  const refuse = (patch: JsonObject) => () => applyStrategicPatch(pod as unknown as JsonObject, patch, podSpec);
  test.each<[string, JsonObject, string]>([
    ['that is no list', { '$setElementOrder/containers': 'a' }, 'expected a []interface {}, but received a string'],
    [
      'of a field that is no list',
      { '$setElementOrder/strategy': [] },
      '$setElementOrder/strategy: strategy must be a list',
    ],
    [
      "without one of the patch's items",
      { '$setElementOrder/containers': [{ name: 'a' }], containers: [{ name: 'c' }] },
      "The order in patch list:\n[map[name:c]]\n doesn't match $setElementOrder list:\n[map[name:a]]\n",
    ],
  ])('%s is refused', (_, patch, message) => expect(refuse(patch)).toThrow(message));

  test.each<[string, JsonObject, Json[]]>([
    ['orders scalars', { '$setElementOrder/finalizers': ['two', 'one'] }, ['two', 'one']],
    [
      'leaves what it does not name where it was',
      { '$setElementOrder/finalizers': ['two', 'three'], finalizers: ['three'] },
      ['one', 'two', 'three'],
    ],
  ])('%s', (_, patch, finalizers) => expect(refuse(patch)()['finalizers']).toEqual(finalizers));
});

test('a patch that is too deep is refused', () => {
  let patch: JsonObject = {};
  for (let i = 0; i < 600; i++) patch = { a: patch };
  expect(() => applyStrategicPatch({}, patch, undefined)).toThrow(expect.objectContaining({ code: 400 }));
});
