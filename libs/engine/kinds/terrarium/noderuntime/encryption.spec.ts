import { expect, test } from '@jest/globals';
import type { Reader } from '../../../machinery/client.js';
import type { Kind } from '../../../machinery/kind.js';
import type { EncryptionEpoch, EncryptionProvider } from './api-server-configuration.js';
import { encryptionPrefix, isStale, unreadable } from './encryption.js';

const SECRETS = { group: '', plural: 'secrets' } as Kind;
const DEPLOYMENTS = { group: 'apps', plural: 'deployments' } as Kind;
const at = (revision: number) => ({ metadata: { resourceVersion: String(revision) } }) as never;
const key = (type: EncryptionProvider['type'], name: string, digest = name): EncryptionProvider => ({
  type,
  keys: [{ name, digest }],
});
const IDENTITY: EncryptionProvider = { type: 'identity', keys: [] };
const epoch = (from: number, providers: EncryptionProvider[], resources = ['secrets']): EncryptionEpoch => ({
  from,
  resources: [{ resources, providers }],
});
const CBC = epoch(10, [key('aescbc', 'k'), IDENTITY]);

test.each([
  [[CBC], SECRETS, 9, ''],
  [[CBC], SECRETS, 10, 'k8s:enc:aescbc:v1:k:'],
  [[CBC], DEPLOYMENTS, 10, ''],
  [[CBC, { from: 20, resources: [] }], SECRETS, 19, 'k8s:enc:aescbc:v1:k:'],
  [[CBC, { from: 20, resources: [] }], SECRETS, 20, ''],
  [[epoch(1, [IDENTITY, key('aesgcm', 'k')])], SECRETS, 5, ''],
  [[epoch(1, [key('secretbox', 'k')], ['*.apps'])], DEPLOYMENTS, 5, 'k8s:enc:secretbox:v1:k:'],
  [[epoch(1, [key('secretbox', 'k')], ['*.'])], DEPLOYMENTS, 5, ''],
  [[epoch(1, [key('secretbox', 'k')], ['*.*'])], DEPLOYMENTS, 5, 'k8s:enc:secretbox:v1:k:'],
])('%j: %j at %d begins with %j', (epochs, kind, revision, prefix) =>
  expect(encryptionPrefix(epochs, kind, at(revision))).toBe(prefix),
);

test.each([
  ['in the clear, where that is read', [CBC], 5, undefined],
  ['in the clear, where it is not', [epoch(10, [key('aescbc', 'k')])], 5, 'no matching prefix found'],
  ['by a key that is behind another', [CBC, epoch(20, [key('aescbc', 'n'), key('aescbc', 'k')])], 15, undefined],
  [
    'by a key that is gone',
    [CBC, epoch(20, [key('aescbc', 'n')])],
    15,
    'no matching key was found for the provided AES',
  ],
  ['by a key of another secret', [CBC, epoch(20, [key('aescbc', 'k', 'x')])], 15, 'invalid padding on input'],
  ['by a provider that is gone', [CBC, epoch(20, [key('secretbox', 'k')])], 15, 'no matching prefix found'],
  ['and nothing is encrypted any more', [CBC, { from: 20, resources: [] }], 15, 'identity transformer tried to read'],
])('written %s', (_case, epochs, revision, failure) => {
  const found = unreadable(epochs, SECRETS, at(revision));
  if (failure === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(failure);
});

test.each([
  [undefined, 5, false],
  [[CBC], 5, true],
  [[CBC], 15, false],
  [[CBC, epoch(20, [key('aescbc', 'n'), key('aescbc', 'k')])], 15, true],
])('with %j what was written at %d is written anew: %s', (encryption, revision, stale) => {
  const runtime = { metadata: { name: 'cp' }, ...(encryption ? { apiServer: { encryption } } : {}) };
  const read = { list: () => [runtime], get: () => runtime, byIndex: () => [] } as unknown as Reader;
  expect(isStale(read, SECRETS, at(revision))).toBe(stale);
});
