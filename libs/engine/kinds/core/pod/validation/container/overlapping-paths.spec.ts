import { expect, test } from '@jest/globals';
import type { Volume } from '../../../../../api/core_v1.js';
import { warningsForOverlappingVirtualPaths } from './overlapping-paths.js';

const items = (...paths: string[]): { key: string; path: string }[] => paths.map((path) => ({ key: 'k', path }));

test.each<[string, Omit<Volume, 'name'>, string[]]>([
  ['apart', { configMap: { name: 'c', items: items('a', 'b/c', 'bc') } }, []],
  [
    'the same',
    { configMap: { name: 'c', items: items('a', 'a/') } },
    ['volume "v" (ConfigMap "c"): overlapping paths: "a" with "a"'],
  ],
  [
    'one in the other',
    { secret: { secretName: 's', items: items('a/b', 'a') } },
    ['volume "v" (Secret "s"): overlapping paths: "a" with "a/b"'],
  ],
  [
    'of the pod',
    { downwardAPI: { items: [{ path: 'a' }, { path: 'a/b' }] } },
    ['volume "v" (DownwardAPI): overlapping paths: "a/b" with "a"'],
  ],
  [
    'of several sources',
    {
      projected: {
        sources: [
          { configMap: { name: 'c', items: items('a') } },
          { secret: { name: 's', items: items('a') } },
          { serviceAccountToken: { path: 'a/token' } },
        ],
      },
    },
    [
      'volume "v" (Projected): overlapping paths: "a" (Secret "s") with "a" (ConfigMap "c")',
      'volume "v" (Projected): overlapping paths: "a/token" (ServiceAccountToken) with "a" (ConfigMap "c")',
      'volume "v" (Projected): overlapping paths: "a/token" (ServiceAccountToken) with "a" (Secret "s")',
    ],
  ],
  ['of no source', { projected: { sources: [{}] } }, ['volume "v" (Projected) has no sources provided']],
])('paths %s', (_, volume, warnings) =>
  expect(warningsForOverlappingVirtualPaths([{ name: 'v', ...volume }])).toEqual(warnings),
);
