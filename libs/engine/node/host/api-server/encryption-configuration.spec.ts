import { expect, test } from '@jest/globals';
import { digestOf } from '../../digest.js';
import { parseEncryption } from './encryption-configuration.js';

const HEAD = 'kind: EncryptionConfiguration\napiVersion: apiserver.config.k8s.io/v1\n';
const KEY = 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI=';
const of = (resources: string, providers: string): string =>
  `${HEAD}resources: [{resources: ${resources}, providers: ${providers}}]`;

test('keys are known by their names, and secrets by nothing but a digest', () =>
  expect(parseEncryption(of('[secrets]', `[{aescbc: {keys: [{name: a, secret: ${KEY}}]}}, {identity: {}}]`))).toEqual({
    value: [
      {
        resources: ['secrets'],
        providers: [
          { type: 'aescbc', keys: [{ name: 'a', digest: digestOf(KEY) }] },
          { type: 'identity', keys: [] },
        ],
      },
    ],
  }));

const keys = (type: string, key: string): string => `[{${type}: {keys: [${key}]}}]`;
test.each([
  ['apiVersion: v1\nkind: Pod', 'no kind "Pod" is registered for version "v1" in scheme'],
  [HEAD, 'resources: Required value: at least one resources is required'],
  [`${HEAD}resources: {}`, 'json: cannot unmarshal object into Go struct field EncryptionConfiguration.resources'],
  [
    of('[]', '[{identity: {}}]'),
    'resources[0].resources: Required value: at least one resources[0].resources is required',
  ],
  [of('[a]', '[]'), 'resources[0].providers: Required value: at least one resources[0].providers is required'],
  [of('[a]', '[{}]'), 'provider does not contain any of the expected providers'],
  [of('[a]', '[{identity: {}, aescbc: {}}]'), 'more than one provider specified in a single element'],
  [of('[a]', '[{aescbc: {}}]'), 'resources[0].providers[0].aescbc.keys: Required value: at least one keys is required'],
  [of('[a]', keys('aescbc', '{name: k}')), 'keys[0].secret: Required value: secret is a mandatory field for a key'],
  [of('[a]', keys('aescbc', `{secret: ${KEY}}`)), 'keys[0].name: Required value: name is a mandatory field for a key'],
  [of('[a]', keys('aesgcm', '{name: k, secret: "?"}')), '"REDACTED": secrets must be base64 encoded'],
  [
    of('[a]', keys('aescbc', '{name: k, secret: YQ==}')),
    'not of the expected length, got 1, expected one of [16 24 32]',
  ],
  [of('[a]', keys('secretbox', '{name: k, secret: YQ==}')), 'got 1, expected one of [32]'],
  [of('[a]', '[{kms: {name: k}}]'), 'not simulated'],
  [of('[a, a]', '[{identity: {}}]'), 'the same resource cannot be specified multiple times'],
  [of("['*.', secrets]", '[{identity: {}}]'), 'using overlapping resources'],
  [of("['*']", '[{identity: {}}]'), "use '*.' to encrypt all the resources from core API group"],
  [of('[Secrets]', '[{identity: {}}]'), 'resource name should not contain capital letters'],
])('%j: %s', (text, failure) => expect(parseEncryption(text).failure).toContain(failure));
