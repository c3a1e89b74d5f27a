import { describe, expect, test } from '@jest/globals';
import { NewCluster, Page } from './nouns.js';

describe('NewCluster', () => {
  test('a name is enough', () => {
    expect(NewCluster.parse({ name: 'demo' })).toEqual({
      name: 'demo',
      template: 'default',
      nodes: 2,
      controlPlaneTaint: true,
      speed: 'realistic',
      controlPlane: 'control-plane',
      storageClass: 'standard',
      version: 'v1.36.3',
      labels: {},
    });
  });

  test('groups of nodes', () => {
    const taints = [{ key: 'gpu', effect: 'NoSchedule' }];
    expect(
      NewCluster.parse({ name: 'demo', nodes: [{}, { name: 'gpu', count: 3, cpu: '500m', taints }] }).nodes,
    ).toEqual([{}, { name: 'gpu', count: 3, cpu: '500m', taints }]);
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

  test.each([
    [{ controlPlane: 'controlplane' }],
    [{ nodes: 0, controlPlaneTaint: false }],
    [{ storageClass: 'local-path' }],
    [{ storageClass: 'fast.example.com' }],
    [{ version: '1.36.4' }],
    [{ version: 'v1.36.0' }],
    [{ ipFamilies: ['IPv4', 'IPv6'] }],
    [{ ipFamilies: ['IPv4'] }],
    [{ nodes: [{ names: ['node01', 'node02'] }, { names: ['node03'], count: 1 }] }],
  ])('%j is the choice of its creator', (choice) =>
    expect(NewCluster.parse({ name: 'demo', ...choice })).toMatchObject(choice),
  );

  test.each<[object, string, string]>([
    [{ controlPlane: 'Master' }, 'controlPlane', 'must be lower-case letters'],
    [{ storageClass: 'a..b' }, 'storageClass', 'must be labels of lower-case letters'],
    [{ storageClass: '' }, 'storageClass', ''],
    [{ version: '1.35.0' }, 'version', 'must be one of v1.36.0, v1.36.1, v1.36.3, v1.36.4'],
    [{ version: '1.36' }, 'version', 'must be one of'],
    [{ ipFamilies: ['IPv6'] }, 'ipFamilies', 'must be ["IPv4"], or ["IPv4", "IPv6"] for dual stack'],
    [{ ipFamilies: ['IPv6', 'IPv4'] }, 'ipFamilies', 'must be ["IPv4"], or'],
    [{ ipFamilies: [] }, 'ipFamilies', ''],
    [{ nodes: [{ name: 'gpu', names: ['node01'] }] }, 'nodes.0.names', 'must not be given with a name'],
    [{ nodes: [{ count: 2, names: ['node01'] }] }, 'nodes.0.names', 'must be as many as count says'],
    [{ nodes: [{ count: 150 }, { count: 51 }] }, 'nodes', 'must not add up to more than 200 nodes'],
  ])('%j is refused in one sentence', (choice, field, words) => {
    const { issues } = NewCluster.safeParse({ name: 'demo', ...choice }).error!;
    expect(issues.map(({ path }) => path.join('.'))).toContain(field);
    expect(issues[0]!.message).toContain(words);
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
