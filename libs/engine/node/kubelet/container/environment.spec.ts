import { describe, expect, test } from '@jest/globals';
import type { Container, EnvVar } from '../../../api/core_v1.js';
import { configMap, container, node, pod, readerOf, secret } from '../testing.js';
import { makeEnvironmentVariables } from './environment.js';
import type { ValueSource } from './value-source.js';

const source: ValueSource = {
  pod: pod({}, { podIP: '10.244.1.2' }),
  node: node(),
  read: readerOf(configMap('settings', { color: 'blue', size: 'L' }), secret('keys', { token: 'czNjcjN0' })),
};
const env = (own: Partial<Container>, from: ValueSource = source): Record<string, string> =>
  makeEnvironmentVariables(container('c', own), from);
const one = (valueFrom: EnvVar['valueFrom'], from: ValueSource = source): Record<string, string> =>
  env({ env: [{ name: 'A', valueFrom }] }, from);

test.each<[string, Partial<Container>, Record<string, string>]>([
  ['no variables', {}, {}],
  ['a value', { env: [{ name: 'A', value: '1' }] }, { A: '1' }],
  ['no value', { env: [{ name: 'A' }] }, { A: '' }],
  [
    'an earlier variable',
    {
      env: [
        { name: 'A', value: '1' },
        { name: 'B', value: '$(A)-$(C)' },
      ],
    },
    { A: '1', B: '1-$(C)' },
  ],
  ['a ConfigMap', { envFrom: [{ configMapRef: { name: 'settings' } }] }, { color: 'blue', size: 'L' }],
  ['a Secret, with a prefix', { envFrom: [{ prefix: 'K_', secretRef: { name: 'keys' } }] }, { K_token: 's3cr3t' }],
  ['a missing optional ConfigMap', { envFrom: [{ configMapRef: { name: 'x', optional: true } }] }, {}],
  [
    'env over envFrom',
    { envFrom: [{ configMapRef: { name: 'settings' } }], env: [{ name: 'size', value: 'S' }] },
    { color: 'blue', size: 'S' },
  ],
])('%s', (_case, own, expected) => {
  expect(env(own)).toEqual(expected);
});

test.each<[string, EnvVar['valueFrom'], Record<string, string>]>([
  ['a field of the pod', { fieldRef: { fieldPath: 'status.podIP' } }, { A: '10.244.1.2' }],
  ['a resource of the container', { resourceFieldRef: { resource: 'requests.cpu' } }, { A: '0' }],
  ['a key of a ConfigMap', { configMapKeyRef: { name: 'settings', key: 'color' } }, { A: 'blue' }],
  ['a key of a Secret', { secretKeyRef: { name: 'keys', key: 'token' } }, { A: 's3cr3t' }],
  ['an optional key that is missing', { configMapKeyRef: { name: 'settings', key: 'x', optional: true } }, {}],
  ['an optional ConfigMap that is missing', { configMapKeyRef: { name: 'x', key: 'x', optional: true } }, {}],
  ['an optional Secret that is missing', { secretKeyRef: { name: 'x', key: 'x', optional: true } }, {}],
])('valueFrom %s', (_case, valueFrom, expected) => {
  expect(one(valueFrom)).toEqual(expected);
});

describe('what is missing', () => {
  test.each<[string, Partial<Container>, string]>([
    ['a ConfigMap', { envFrom: [{ configMapRef: { name: 'x' } }] }, 'configmap "x" not found'],
    ['a Secret', { envFrom: [{ secretRef: { name: 'x' } }] }, 'secret "x" not found'],
    [
      'a key of a ConfigMap',
      { env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'settings', key: 'x' } } }] },
      "couldn't find key x in ConfigMap shop/settings",
    ],
    [
      'a key of a Secret',
      { env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'keys', key: 'x' } } }] },
      "couldn't find key x in Secret shop/keys",
    ],
  ])('%s is an error', (_case, own, message) => {
    expect(() => env(own)).toThrow(message);
  });

  test('is left out when there is no reader', () => {
    expect(
      env({ env: [{ name: 'B', value: '1' }], envFrom: [{ configMapRef: { name: 'x' } }] }, { pod: pod() }),
    ).toEqual({
      B: '1',
    });
  });
});
