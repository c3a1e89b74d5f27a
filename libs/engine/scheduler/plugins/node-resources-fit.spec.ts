import { describe, expect, test } from '@jest/globals';
import type { Node, Pod } from '../../api/core_v1.js';
import { filterNodes, makeNode, makePod, requesting, scoreNodes, snapshotOf } from '../testing.js';
import { balancedAllocation, leastAllocated, nodeResourcesFit } from './node-resources-fit.js';

const NODE = makeNode('n', {
  status: { allocatable: { cpu: '2', memory: '4Gi', 'ephemeral-storage': '10Gi', pods: '3', 'nvidia.com/gpu': '1' } },
});
const used = (requests: Record<string, string>): Pod => makePod(requesting(requests), {}, 'n');

test.each<[string, Record<string, string>, Pod[], Node, string | undefined]>([
  ['that fits exactly', { cpu: '2', memory: '4Gi' }, [], NODE, undefined],
  ['for the rest', { cpu: '500m' }, [used({ cpu: '1500m' })], NODE, undefined],
  ['for more than the rest', { cpu: '501m' }, [used({ cpu: '1500m' })], NODE, 'Insufficient cpu'],
  ['for more than the node has', { cpu: '3' }, [], NODE, '!Insufficient cpu'],
  ['for too much memory', { memory: '3Gi' }, [used({ memory: '2Gi' })], NODE, 'Insufficient memory'],
  ['for too much storage', { 'ephemeral-storage': '11Gi' }, [], NODE, '!Insufficient ephemeral-storage'],
  [
    'for a device in use',
    { 'nvidia.com/gpu': '1' },
    [used({ 'nvidia.com/gpu': '1' })],
    NODE,
    'Insufficient nvidia.com/gpu',
  ],
  ['for a device that the node has not', { 'amd.com/gpu': '1' }, [], NODE, '!Insufficient amd.com/gpu'],
  ['for no device', { 'amd.com/gpu': '0' }, [], NODE, undefined],
  ['that is one too many', {}, [used({}), used({}), used({})], NODE, 'Too many pods'],
  [
    'for too much of all',
    { cpu: '2', memory: '4Gi' },
    [used({ cpu: '1', memory: '1Gi' }), used({}), used({})],
    NODE,
    'Too many pods, Insufficient cpu, Insufficient memory',
  ],
  ['without requests on a full node', {}, [used({ cpu: '2' })], NODE, undefined],
])('a pod %s', (_, requests, pods, node, expected) =>
  expect(filterNodes(nodeResourcesFit, makePod(requesting(requests)), snapshotOf([node], pods))).toEqual(
    expected ? { n: expected } : {},
  ),
);

describe('scores', () => {
  const big = makeNode('big', { cpu: '4', memory: '8Gi' });
  const on = (requests: Record<string, string>): Pod => makePod(requesting(requests), {}, 'big');

  test.each<[string, Record<string, string>, Pod[], number]>([
    // (3000/4000 + 6/8) * 100 / 2
    ['by the share that stays free', { cpu: '1', memory: '2Gi' }, [], 75],
    // (1000/4000 -> 25, 4/8 -> 50) / 2
    ['with the pods that run', { cpu: '1', memory: '2Gi' }, [on({ cpu: '2', memory: '2Gi' })], 37],
    // 100m and 200Mi are assumed: 97 and 97
    ['with an assumption for missing requests', {}, [], 97],
    ['nothing for a node that is overcommitted', { cpu: '5', memory: '9Gi' }, [], 0],
  ])('least allocated: %s', (_, requests, pods, score) =>
    expect(scoreNodes(leastAllocated, makePod(requesting(requests)), snapshotOf([big], pods))).toEqual({ big: score }),
  );

  test.each<[string, Record<string, string>, Pod[], unknown]>([
    ['all for equal shares', { cpu: '1', memory: '2Gi' }, [], { big: 100 }],
    // shares 1/2 and 0: standard deviation 1/4
    ['less for unequal shares', { cpu: '2' }, [], { big: 75 }],
    ['the pods that run', { cpu: '1' }, [on({ memory: '2Gi' })], { big: 100 }],
    ['best-effort pods are skipped', {}, [], 'Skip'],
  ])('balanced allocation: %s', (_, requests, pods, expected) =>
    expect(scoreNodes(balancedAllocation, makePod(requesting(requests)), snapshotOf([big], pods))).toEqual(expected),
  );
});
