import { describe, expect, test } from '@jest/globals';
import { NewCluster, Page } from './nouns.js';

describe('NewCluster', () => {
  test('a name is enough', () => {
    expect(NewCluster.parse({ name: 'demo' })).toEqual({
      name: 'demo',
      template: 'default',
      nodes: 2,
      speed: 'realistic',
    });
  });

  test('groups of nodes', () => {
    const taints = [{ key: 'gpu', effect: 'NoSchedule' }];
    expect(
      NewCluster.parse({ name: 'demo', nodes: [{}, { name: 'gpu', count: 3, cpu: '500m', taints }] }).nodes,
    ).toEqual([{ count: 1 }, { name: 'gpu', count: 3, cpu: '500m', taints }]);
  });

  test.each<[string, object, string]>([
    ['no name', {}, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a name in capitals', { name: 'Demo' }, 'name'],
    ['a name that ends with a dash', { name: 'demo-' }, 'name'],
    ['a long name', { name: 'a'.repeat(64) }, 'name'],
    ['an unknown field', { name: 'a', size: 1 }, ''],
    ['an unknown template', { name: 'a', template: 'other' }, 'template'],
    ['too many nodes', { name: 'a', nodes: 201 }, 'nodes'],
    ['half a node', { name: 'a', nodes: 1.5 }, 'nodes'],
    ['groups that add up to too many', { name: 'a', nodes: [{ count: 200 }, { count: 1 }] }, 'nodes'],
    ['an unknown speed', { name: 'a', speed: 'slow' }, 'speed'],
    ['an empty seed', { name: 'a', seed: '' }, 'seed'],
  ])('%s is refused', (_, value, field) => {
    const result = NewCluster.safeParse(value);
    expect(result.error?.issues.map((issue) => issue.path.join('.'))).toContain(field);
  });

  test.each([['4 cores'], ['-1'], ['1.']])('%j is no quantity', (cpu) => {
    expect(NewCluster.safeParse({ name: 'a', nodes: [{ cpu }] }).success).toBe(false);
  });
});

test.each<[object, object | undefined]>([
  [{}, { limit: 100 }],
  [
    { limit: '7', cursor: 'c1' },
    { limit: 7, cursor: 'c1' },
  ],
  [{ limit: '0' }, undefined],
  [{ limit: '501' }, undefined],
  [{ limit: 'x' }, undefined],
  [{ page: '1' }, undefined],
])('the page %j', (query, expected) => expect(Page.safeParse(query).data).toEqual(expected));
