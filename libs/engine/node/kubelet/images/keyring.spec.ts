import { expect, test } from '@jest/globals';
import { encodeBase64 } from '../../../machinery/text/base64.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import { pod, readerOf } from '../testing.js';
import { findCredentials } from './keyring.js';

const TYPES = { '.dockerconfigjson': 'kubernetes.io/dockerconfigjson', '.dockercfg': 'kubernetes.io/dockercfg' };
const secretOf = (name: string, key: keyof typeof TYPES, value: unknown): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: 'shop' },
    type: TYPES[key],
    data: { [key]: encodeBase64(typeof value === 'string' ? value : JSON.stringify(value)) },
  }) as KubeObject;
const login = (username: string): object => ({ username, password: 'p' });
const find = (image: string, ...secrets: KubeObject[]): string[] =>
  findCredentials(
    pod({ imagePullSecrets: secrets.map(({ metadata: { name } }) => ({ name })) }),
    image,
    readerOf(...secrets),
  ).map(({ username, password }) => `${username}:${password}`);

// Models credentialprovider/keyring_test.go TestURLsMatch, TestDockerKeyringForGlob.
test.each([
  ['https://index.docker.io/v1/', 'docker.io/janedoe/jdoe-private', true],
  ['index.docker.io', 'docker.io/library/nginx', true],
  ['docker.io', 'docker.io/library/nginx', true],
  ['https://registry-1.docker.io', 'docker.io/library/nginx', false],
  ['https://index.docker.io/v1/', 'quay.io/acme/shop', false],
  ['http://registry.acme.com:5000', 'registry.acme.com:5000/shop', true],
  ['registry.acme.com', 'registry.acme.com:5000/shop', false],
  ['https://registry.acme.com/v2/', 'registry.acme.com/shop', true],
  ['registry.acme.com/team', 'registry.acme.com/team/shop', true],
  ['registry.acme.com/other', 'registry.acme.com/team/shop', false],
  ['*.acme.com', 'registry.acme.com/shop', true],
  ['*.acme.com', 'acme.com/shop', false],
  ['*.com', 'registry.acme.com/shop', false],
  ['reg*ry.acm?.com', 'registry.acme.com/shop', true],
  ['reg*x.acme.com', 'registry.acme.com/shop', false],
])('%s is for %s: %s', (server, image, isFor) => {
  expect(find(image, secretOf('a', '.dockerconfigjson', { auths: { [server]: login('jane') } }))).toEqual(
    isFor ? ['jane:p'] : [],
  );
});

test.each<[string, keyof typeof TYPES, unknown, string[]]>([
  ['the old format', '.dockercfg', { 'quay.io': login('jane') }, ['jane:p']],
  [
    'user and password in one',
    '.dockerconfigjson',
    { auths: { 'quay.io': { auth: encodeBase64('a:b:c') } } },
    ['a:b:c'],
  ],
  ['one without a colon', '.dockerconfigjson', { auths: { 'quay.io': { auth: encodeBase64('ab') } } }, [':']],
  ['an entry that is none', '.dockerconfigjson', { auths: { 'quay.io': 7 } }, [':']],
  ['no logins', '.dockerconfigjson', { auths: [] }, []],
  ['no JSON', '.dockerconfigjson', '{', []],
])('%s', (_case, key, value, expected) => {
  expect(find('quay.io/acme/shop', secretOf('a', key, value))).toEqual(expected);
});

test('the more specific ones come first, of all secrets that are there', () => {
  const general = secretOf('a', '.dockerconfigjson', { auths: { 'quay.io': login('general') } });
  const special = secretOf('b', '.dockerconfigjson', { auths: { 'quay.io/acme': login('special') } });
  expect(find('quay.io/acme/shop', general, special)).toEqual(['special:p', 'general:p']);
  const named = pod({ imagePullSecrets: [{ name: 'gone' }, { name: '' }] });
  expect(findCredentials(named, 'quay.io/acme/shop', readerOf(general))).toEqual([]);
});
