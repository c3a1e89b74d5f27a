import { describe, expect, test } from '@jest/globals';
import { makeCatalog } from './catalog.js';
import type { Image, Pullable } from '../image.js';
import { parseReference } from './reference.js';

const image = (repository: string, tags = /^\d+(\.\d+)*$/): Image => ({
  repositories: [repository],
  tags,
  layers: [1_000_000, 9_000_000],
  config: {},
  start: () => ({ listens: [], readyAfterMs: 0, lines: () => [] }),
});
const nginx = image('docker.io/library/nginx');
const unknown = image('unknown', /./);
const PUBLISHED = ['docker.io/library/ubuntu', 'example.org/team/app', 'docker.io/grafana/grafana'];
const catalog = makeCatalog([nginx], unknown, {
  isPublished: (repository) => PUBLISHED.includes(repository),
  isReleased: (_, tag) => tag !== '1.27.99',
});
const resolve = (text: string): Pullable => catalog.resolve(parseReference(text)!);

test.each<[string, Image]>([
  ['nginx:1.27', nginx],
  ['docker.io/library/nginx:1', nginx],
  [`nginx@sha256:${'a'.repeat(64)}`, nginx],
  ['ubuntu:24.04', unknown],
  ['example.org/team/app:v1', unknown],
  ['grafana/grafana:11', unknown],
])('%s is there', (text, expected) => {
  expect(resolve(text)).toMatchObject({ image: expected });
});

const reference = 'docker.io/library/nginx:1.27.99';
test.each([
  [
    'nginx:1.27.99',
    `rpc error: code = NotFound desc = failed to pull and unpack image "${reference}": failed to resolve reference "${reference}": ${reference}: not found`,
  ],
  [
    'ngnix:1',
    'failed to pull and unpack image "docker.io/library/ngnix:1": failed to resolve reference "docker.io/library/ngnix:1": pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed',
  ],
  [
    'quay.io/acme/app:1',
    'rpc error: code = NotFound desc = failed to pull and unpack image "quay.io/acme/app:1": failed to resolve reference "quay.io/acme/app:1": quay.io/acme/app:1: not found',
  ],
  [
    'registry.invalid/app:1',
    'failed to pull and unpack image "registry.invalid/app:1": failed to resolve reference "registry.invalid/app:1": failed to do request: Head "https://registry.invalid/v2/app/manifests/1": dial tcp: lookup registry.invalid: no such host',
  ],
])('%s is an error', (text, error) => {
  expect(resolve(text)).toEqual({ error });
});

test('a repository whose name says that it is private is there for those who log in', () => {
  expect(resolve('janedoe/jdoe-private:v1')).toMatchObject({ image: unknown, access: {} });
  expect(catalog.resolve(parseReference('janedoe/jdoe-private:v1')!, true)).not.toHaveProperty('access');
});

test.each(['no-such-tag', 'wrong-tag', 'nonexistent', 'doesntexist', 'latestt', 'bad', 'not-there'])(
  'a tag that says so (%s) is missing from any repository',
  (tag) => expect(resolve(`grafana/grafana:${tag}`)).toMatchObject({ error: expect.stringMatching(/: not found$/) }),
);

describe('a pullable image', () => {
  const found = resolve('nginx:1.27') as Exclude<Pullable, { error: string }>;

  test('has about the size of its layers, the same each time', () => {
    expect(found.sizeBytes).toBeGreaterThanOrEqual(9_700_000);
    expect(found.sizeBytes).toBeLessThanOrEqual(10_300_000);
    expect(resolve('nginx:1.27')).toEqual(found);
  });
  test('has a digest as its ID', () => {
    expect(found.id).toMatch(/^docker\.io\/library\/nginx@sha256:[0-9a-f]{64}$/);
  });
  test('that was asked for by digest has that one', () => {
    const digest = `sha256:${'b'.repeat(64)}`;
    expect(resolve(`nginx@${digest}`)).toMatchObject({ id: `docker.io/library/nginx@${digest}` });
  });
});

test.each(['quay.io/acme/app:1', 'registry.test/app:1', 'ngnix:1', 'grafana/grafana:no-such-tag'])(
  '%s is some server when the cluster’s own list has it, and only then',
  (text) => {
    expect(resolve(text)).toHaveProperty('error');
    expect(catalog.resolve(parseReference(text)!, true)).toMatchObject({ image: unknown });
    expect(resolve(text)).toHaveProperty('error');
  },
);
