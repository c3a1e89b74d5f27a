import { expect, test } from '@jest/globals';
import {
  apiVersionOf,
  controllerOf,
  isObject,
  keyOf,
  keyText,
  own,
  splitApiVersion,
  type KubeObject,
} from './object.js';

test.each([
  [{}, true],
  [{ a: 1 }, true],
  [[], false],
  [null, false],
  ['a', false],
  [undefined, false],
])('%j is an object: %s', (value, result) => expect(isObject(value)).toBe(result));

test.each([
  [{ name: 'a', namespace: 'n' }, { namespace: 'n', name: 'a' }, 'n/a'],
  [{ name: 'a' }, { namespace: '', name: 'a' }, 'a'],
  [{}, { namespace: '', name: '' }, ''],
])('the key of %j', (metadata, key, text) => {
  expect(keyOf({ metadata } as KubeObject)).toEqual(key);
  expect(keyText(key)).toBe(text);
});

test.each([
  ['v1', '', 'v1'],
  ['apps/v1', 'apps', 'v1'],
])('%s is a group and a version', (apiVersion, group, version) => {
  expect(splitApiVersion(apiVersion)).toEqual([group, version]);
  expect(apiVersionOf(group, version)).toBe(apiVersion);
});

test('the controller is the one owner that says so', () => {
  const owner = (name: string, controller?: boolean) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    name,
    uid: name,
    controller,
  });
  const object = { metadata: { ownerReferences: [owner('a'), owner('b', true)] } } as KubeObject;
  expect(controllerOf(object)?.name).toBe('b');
  expect(controllerOf({ metadata: {} } as KubeObject)).toBeUndefined();
});

test('a table has only entries of its own', () => {
  expect(own({ a: 1 }, 'a')).toBe(1);
  expect(own({ a: 1 } as Record<string, number>, 'constructor')).toBeUndefined();
  expect(own(undefined, 'a')).toBeUndefined();
});
