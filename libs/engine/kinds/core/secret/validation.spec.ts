import { expect, test } from '@jest/globals';
import { errorsOf } from '../../testing.js';
import { kind } from './kind.js';

test.each<[string, Record<string, unknown>, string[]]>([
  ['any data', { data: { 'a.b-c_D': 'YQ==' } }, []],
  [
    'a bad key',
    { data: { 'a b': '' } },
    [
      "data[a b]: Invalid value: \"a b\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
    ],
  ],
  ['too much', { data: { a: 'A'.repeat(4 * 350_000) } }, ['data: Too long: may not be more than 1048576 bytes']],
  [
    'an SSH key that is empty',
    { type: 'kubernetes.io/ssh-auth', data: { 'ssh-privatekey': '' } },
    ['data[ssh-privatekey]: Required value'],
  ],
  [
    'a TLS certificate without its key',
    { type: 'kubernetes.io/tls', data: { 'tls.crt': '' } },
    ['data[tls.key]: Required value'],
  ],
  [
    'basic authentication of nobody',
    { type: 'kubernetes.io/basic-auth' },
    ['data[username]: Required value', 'data[password]: Required value'],
  ],
  ['basic authentication without a password', { type: 'kubernetes.io/basic-auth', data: { username: 'YQ==' } }, []],
  [
    'a docker config that is no JSON',
    { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': btoa('{') } },
    ['data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": invalid character in JSON'],
  ],
  ['a docker config', { type: 'kubernetes.io/dockercfg', data: { '.dockercfg': btoa('{}') } }, []],
  [
    'a token of no account',
    { type: 'kubernetes.io/service-account-token' },
    ['metadata.annotations[kubernetes.io/service-account.name]: Required value'],
  ],
])('%s', (_, fields, errors) => expect(errorsOf(kind, fields)).toEqual(errors));
