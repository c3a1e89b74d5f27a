import { describe, expect, test } from '@jest/globals';
import { parseReference } from './reference.js';
import { aggregateErrors, findRefusal, isPrivateName } from './registry-access.js';

const refusal = (image: string, shown?: [string, string], users?: { name: string; password: string }[]): string => {
  const reference = parseReference(image)!;
  const credentials = shown && { username: shown[0], password: shown[1] };
  const error = findRefusal(reference, users ? { users } : {}, credentials) ?? 'pulled';
  return error.replace(
    `failed to pull and unpack image "${reference.full}": failed to resolve reference "${reference.full}": `,
    '',
  );
};
const JANE = [{ name: 'jane', password: 'secret' }];
const NO_ACCESS = 'pull access denied, repository does not exist or may require authorization';
const TOKEN = 'unexpected status from GET request to https://';

describe('nobody is let in who shows nothing', () => {
  test.each([
    ['janedoe/shop', `${NO_ACCESS}: server message: insufficient_scope: authorization failed`],
    ['registry.acme.com:5000/shop:v1', `${NO_ACCESS}: authorization failed: no basic auth credentials`],
    [
      'quay.io/acme/shop:v1',
      'unexpected status from HEAD request to https://quay.io/v2/acme/shop/manifests/v1: 401 UNAUTHORIZED',
    ],
    [
      'ghcr.io/acme/shop',
      `failed to authorize: failed to fetch anonymous token: ${TOKEN}ghcr.io/token?scope=repository%3Aacme%2Fshop%3Apull&service=ghcr.io: 401 Unauthorized`,
    ],
  ])('%s', (image, error) => expect(refusal(image, undefined, JANE)).toBe(error));
});

describe('nor who shows a wrong password', () => {
  test.each([
    [
      'janedoe/shop',
      `failed to authorize: failed to fetch oauth token: ${TOKEN}auth.docker.io/token?scope=repository%3Ajanedoe%2Fshop%3Apull&service=registry.docker.io: 401 Unauthorized`,
    ],
    [
      'registry.acme.com/shop:v1',
      'unexpected status from HEAD request to https://registry.acme.com/v2/shop/manifests/v1: 401 Unauthorized',
    ],
  ])('%s', (image, error) => expect(refusal(image, ['jane', 'wrong'], JANE)).toBe(error));
});

test.each<[string, [string, string] | undefined, typeof JANE | undefined, boolean]>([
  ['a user of the registry', ['jane', 'secret'], JANE, true],
  ['without a list, any user', ['jane', 'x'], undefined, true],
  ['without a list, no user', undefined, undefined, false],
  ['a user without a password', ['jane', ''], undefined, false],
  ['nobody, when the list is empty', ['jane', 'secret'], [], false],
])('%s', (_case, shown, users, isPulled) => expect(refusal('janedoe/shop', shown, users) === 'pulled').toBe(isPulled));

test.each([
  ['janedoe/jdoe-private:v1', true],
  ['registry.acme.com/private/shop', true],
  ['gcr.io/authenticated-image-pulling/alpine:3.7', true],
  ['private.acme.com/shop', false],
  ['acme/privateer', false],
])('%s tells that it is private: %s', (image, expected) => {
  expect(isPrivateName(parseReference(image)!)).toBe(expected);
});

test.each([
  [['a'], 'a'],
  [['a', 'a'], 'a'],
  [['a', 'b', 'a'], '[a, b]'],
])('%j together: %s', (errors, text) => expect(aggregateErrors(errors)).toBe(text));
