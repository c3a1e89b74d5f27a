import { expect, test } from '@jest/globals';
import type { Reader } from '../machinery/client.js';
import { Deployments, Pods, kinds } from '../kinds/index.js';
import { editDistance, findKind, nearObjects } from './find-object.js';

const world = { kinds: () => kinds };

test.each([
  ['pods', 'Pod'],
  ['po', 'Pod'],
  ['Pod', 'Pod'],
  ['deploy', 'Deployment'],
  ['deployments.apps', 'Deployment'],
  ['deployments.v1.apps', 'Deployment'],
  ['pods.v1', 'Pod'],
  ['pods.apps', undefined],
  ['pots', undefined],
  ['', undefined],
])('%j is a %s', (text, kind) => expect(findKind(world, text)?.kind).toBe(kind));

test.each([
  ['web', 'web', 0],
  ['web', 'wbe', 1],
  ['web', 'wed', 1],
  ['web', 'we', 1],
  ['kitten', 'sitting', 3],
  ['abcdef', 'uvwxyz', 4],
  ['a', 'abcdefgh', 4],
])('%s and %s: %d', (a, b, distance) => expect(editDistance(a, b, 3)).toBe(distance));

test('near are like names here, and this name elsewhere', () => {
  const all = ['shop/web', 'shop/wbe', 'other/wed', 'other/web', 'shop/database', 'shop/web-1'].map((key) => {
    const [namespace, name] = key.split('/');
    return { metadata: { namespace, name } };
  });
  const read = { list: (kind: unknown) => (kind === Pods ? all : []) } as unknown as Reader;
  const names = (kind: typeof Pods | typeof Deployments): string[] =>
    nearObjects({ read }, kind as typeof Pods, 'shop', 'wed').map((o) => `${o.metadata.namespace}/${o.metadata.name}`);
  expect(names(Pods)).toEqual(['other/wed', 'shop/web']);
  expect(names(Deployments)).toEqual([]);
});
