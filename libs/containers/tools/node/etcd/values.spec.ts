import { expect, test } from '@jest/globals';
import type { RegistryRow } from '../../../../engine/node/host/views/registry-view.js';
import { valueOf } from './values.js';

const secret = JSON.stringify({
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'default' } },
  ...{ data: { mykey: 'bXlkYXRh' }, type: 'Opaque' },
});
const row = (key: string, value: string, prefix?: string): RegistryRow =>
  prefix === undefined ? [key, value, 7] : [key, value, 7, prefix];

test.each([
  [
    'a Secret is protobuf, its data can be read',
    row('/registry/secrets/default/s', secret),
    /^k8s\0\n\f\n\x02v1\x12\x06Secret.*mykey\x12\x06mydata/s,
  ],
  [
    'a custom resource is JSON with a line feed',
    row('/registry/a.example/as/a', '{"apiVersion":"a.example/v1","kind":"A"}'),
    /^\{"apiVersion":"a.example\/v1","kind":"A"\}\n$/,
  ],
  [
    'so are CRDs',
    row('/registry/x', '{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition"}'),
    /^\{/,
  ],
  ['a key of its own is as it was put', row('foo', '{"a":1}'), /^\{"a":1\}$/],
  [
    'what is encrypted says nothing',
    row('/registry/secrets/default/s', secret, 'k8s:enc:aescbc:v1:key1:'),
    /^k8s:enc:aescbc:v1:key1:(?!.*mydata)/s,
  ],
])('%s', (_title, given, expected) => {
  expect(valueOf(given)).toMatch(expected);
});

test('a ciphertext is as long as its blocks', () => {
  const plain = valueOf(row('/registry/secrets/default/s', secret)).length;
  const prefix = 'k8s:enc:aescbc:v1:key1:';
  expect(valueOf(row('/registry/secrets/default/s', secret, prefix)).length - prefix.length).toBe(
    16 + (Math.floor(plain / 16) + 1) * 16,
  );
});
