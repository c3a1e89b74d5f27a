import { describe, expect, test } from '@jest/globals';
import { parseReference } from '@terrarium/engine';
import { allImages as images } from './catalog/all.js';
import { catalog } from './index.js';
import { OFFICIAL } from './official.js';

const LIBRARY = 'docker.io/library/';
const repositories = images.flatMap((image) => image.repositories.map((repository) => ({ repository, image })));

describe.each(repositories)('$repository', ({ repository, image }) => {
  test('is a full name that no other image answers for', () => {
    expect(parseReference(repository)).toMatchObject({ repository });
    expect(repositories.filter((other) => other.repository === repository)).toHaveLength(1);
  });

  test("is listed among Docker Hub's official images when it is one of them", () => {
    const isOfficial = !repository.startsWith(LIBRARY) || OFFICIAL.has(repository.slice(LIBRARY.length));
    expect(isOfficial).toBe(true);
  });

  test('has layers, and a tag that can be pulled but none that says it is missing', () => {
    expect(image.layers.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(0);
    const resolve = (tag: string) => catalog.resolve(parseReference(`${repository}:${tag}`)!);
    expect(resolve('no-such-tag')).toHaveProperty('error');
    const tags = ['latest', '1', '1.0', 'v1.0.0', '3.10', 'v1.36.0', '1.11.1', '2.53', 'v20250512-df8de77b'];
    expect(tags.filter((tag) => 'image' in resolve(tag)).length).toBeGreaterThan(0);
  });
});

test.each<[string, boolean]>([
  ['nginx', true],
  ['nginx:1.25.3-alpine', true],
  ['nginx:1.161', false],
  ['nginx:broken', false],
  ['redis:7', true],
  ['redis:99x', false],
  ['example.com/team/app:v1', true],
  ['app.invalid/x', false],
  ['acme/tool:does-not-exist', false],
])('%s exists, and has files: %s', (name, exists) => {
  const found = catalog.resolve(parseReference(name)!);
  expect('image' in found && found.image.files !== undefined).toBe(exists);
});

test.each(['Nginx', 'nginx:', 'a//b', 'nginx:x y', ''])('%j is no reference', (image) => {
  expect(parseReference(image)).toBeUndefined();
});
