import { describe, expect, test } from '@jest/globals';
import type { Cluster } from '../../api/clusters.generated.js';
import { filterClusters, parseSelector, parseSort, sortClusters } from './filter.js';

const make = (id: string, name: string, labels: Record<string, string> = {}, more: Partial<Cluster> = {}): Cluster =>
  ({
    id,
    name,
    labels,
    state: 'running',
    nodes: 2,
    createdAt: `2026-0${id.slice(1)}`,
    lastUsedAt: '',
    ...more,
  }) as Cluster;
const clusters = [
  make('c1', 'web-10', { course: 'cka', level: '1' }),
  make('c2', 'web-9', { course: 'cka' }, { expiresAt: '2026-12' }),
  make('c3', 'shop', { course: 'ckad' }, { nodes: 5 }),
];
const names = (list: readonly Cluster[] | undefined): string[] | undefined => list?.map(({ name }) => name);

describe('label selectors select as kubectl’s do', () => {
  test.each([
    ['', ['web-10', 'web-9', 'shop']],
    ['course=cka', ['web-10', 'web-9']],
    ['course == cka , level=1', ['web-10']],
    ['level!=1', ['web-9', 'shop']],
    ['course in (ckad, cks)', ['shop']],
    ['course notin (ckad,cks)', ['web-10', 'web-9']],
    ['level', ['web-10']],
    ['!level', ['web-9', 'shop']],
  ])('%s', (selector, expected) => expect(names(filterClusters(clusters, { text: '', selector }))).toEqual(expected));

  test.each(['a b', 'course in cka', '(', '=x', 'a=b=c'])('%s is none', (selector) =>
    expect(parseSelector(selector)).toBeUndefined(),
  );
});

test.each([
  ['WEB', ['web-10', 'web-9']],
  ['c3', ['shop']],
  ['none', []],
])('%s is searched in names and ids', (text, expected) =>
  expect(names(filterClusters(clusters, { text, selector: '' }))).toEqual(expected),
);

test.each([
  ['name', ['shop', 'web-9', 'web-10']],
  ['-name', ['web-10', 'web-9', 'shop']],
  ['-nodes', ['shop', 'web-10', 'web-9']],
  ['ends', ['web-9', 'web-10', 'shop']],
  ['nonsense', ['shop', 'web-9', 'web-10']],
])('sorted by %s', (text, expected) => expect(names(sortClusters(clusters, parseSort(text)))).toEqual(expected));
