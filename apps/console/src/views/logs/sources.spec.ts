import { expect, test } from '@jest/globals';
import { containersOf, parseSources, sourcesText } from './sources.js';

test('sources are what their link says', () => {
  const text = 'a/web,a/web/sidecar';
  expect(parseSources(text)).toEqual([
    { namespace: 'a', pod: 'web', container: '' },
    { namespace: 'a', pod: 'web', container: 'sidecar' },
  ]);
  expect(sourcesText(parseSources(text))).toBe(text);
  expect(parseSources('')).toEqual([]);
  expect(parseSources('nonsense,/x,a/')).toEqual([]);
});

test('a pod has its containers, init ones first', () =>
  expect(
    containersOf({
      metadata: { name: 'web', namespace: 'a' },
      spec: { containers: [{ name: 'c' }], initContainers: [{ name: 'i' }] },
    }).map(({ container }) => container),
  ).toEqual(['i', 'c']));
