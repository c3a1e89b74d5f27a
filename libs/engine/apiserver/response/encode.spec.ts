import { expect, test } from '@jest/globals';
import { ConfigMaps } from '../../kinds/index.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { decodeProtobuf } from '../../schema/index.js';
import { encodeList, encodeObject } from './encode.js';

const configMap = (name: string): KubeObject =>
  ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { x: '1' } }) as KubeObject;

test('an object keeps its fields and its type', () => {
  const bytes = encodeObject(ConfigMaps, configMap('a'));
  expect([...bytes.subarray(0, 4)]).toEqual([0x6b, 0x38, 0x73, 0x00]);
  expect(decodeProtobuf(bytes, ConfigMaps.definition).value).toMatchObject(configMap('a'));
});

test("a list is of the kind's list type", () => {
  const bytes = encodeList(ConfigMaps, [configMap('a'), configMap('b')], { resourceVersion: '7' });
  expect(decodeProtobuf(bytes, 'io.k8s.api.core.v1.ConfigMapList').value).toMatchObject({
    apiVersion: 'v1',
    kind: 'ConfigMapList',
    metadata: { resourceVersion: '7' },
    items: [
      { metadata: { name: 'a' }, data: { x: '1' } },
      { metadata: { name: 'b' }, data: { x: '1' } },
    ],
  });
});
