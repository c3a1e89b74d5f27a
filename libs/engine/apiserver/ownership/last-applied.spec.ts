import { expect, test } from '@jest/globals';
import { ConfigMaps } from '../../kinds/index.js';
import { NONE, type Owner } from '../../machinery/managedfields/index.js';
import { ownedType } from '../../runtime/managed-fields.js';
import { ignoreLastApplied, LAST_APPLIED, lastAppliedText } from './last-applied.js';

const owner: Owner = { manager: 'kubectl-client-side-apply', operation: 'Update', apiVersion: 'v1', fields: NONE };
const conflicts = ['a', 'b', 'c'].map((key) => ({ owner, path: ['f:data', `f:${key}`] }));
const live = (annotation: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'x', annotations: { [LAST_APPLIED]: annotation } },
  data: { a: '1', b: '2', c: '3' },
});
const last = (apiVersion: string): string =>
  JSON.stringify({ apiVersion, kind: 'ConfigMap', metadata: { name: 'x' }, data: { a: '1', b: 'other' } });

test.each([
  ['what is still as it was applied is no conflict', last('v1'), ['b', 'c']],
  ['a configuration of another version is not compared', last('v2'), ['a', 'b', 'c']],
  ['an annotation that is no JSON is ignored', '{', ['a', 'b', 'c']],
  ['an annotation that is no object is ignored', '7', ['a', 'b', 'c']],
])('%s', (_, annotation, keys) => {
  const left = ignoreLastApplied(conflicts, live(annotation), ownedType(ConfigMaps), 'v1');
  expect(left.map(({ path }) => path[1])).toEqual(keys.map((key) => `f:${key}`));
});

test('the annotation is the configuration without itself, with its keys in order', () => {
  const configuration = {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name: 'x', annotations: { b: '1', [LAST_APPLIED]: 'old', a: '2' } },
    data: { z: [{ y: 1, x: 2 }] },
  };
  expect(lastAppliedText(configuration)).toBe(
    '{"apiVersion":"v1","data":{"z":[{"x":2,"y":1}]},"kind":"ConfigMap","metadata":{"annotations":{"a":"2","b":"1"},"name":"x"}}\n',
  );
});
