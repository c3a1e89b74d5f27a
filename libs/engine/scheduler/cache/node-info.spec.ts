import { describe, expect, test } from '@jest/globals';
import type { Container } from '../../api/core_v1.js';
import { NodeInfo } from './node-info.js';
import { makeNode, makePod, requesting } from '../testing.js';

const exposing = (...ports: object[]): Container => ({ name: 'c', ports: ports as Container['ports'] });

describe('a node', () => {
  const owned = makePod(
    { ...requesting({ cpu: '1', 'nvidia.com/gpu': '2' }), affinity: { podAntiAffinity: {} } },
    {},
    'n',
  );
  owned.metadata = {
    ...owned.metadata,
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'r', uid: 'r1', controller: true }],
  };
  const plain = makePod({ containers: [exposing({ containerPort: 80, hostPort: 80 })] }, {}, 'n');
  const sums = ({
    requested,
    nonZeroCpu,
    nonZeroMemory,
    ports,
    podsByController,
    pods,
    podsWithAffinity,
  }: NodeInfo): unknown => ({
    cpu: requested.cpu,
    gpu: requested.other?.get('nvidia.com/gpu'),
    nonZeroCpu,
    nonZeroMemory,
    ports: [...ports],
    podsByController: [...podsByController],
    pods: pods.size,
    podsWithAffinity: podsWithAffinity.size,
  });
  const NOTHING = {
    cpu: 0,
    gpu: undefined,
    nonZeroCpu: 0,
    nonZeroMemory: 0,
    ports: [],
    podsByController: [],
    pods: 0,
    podsWithAffinity: 0,
  };
  const MEMORY = 200 * 1024 * 1024;

  test('sums its pods', () => {
    const info = new NodeInfo('n');
    info.add(owned);
    info.add(plain);
    expect(sums(info)).toEqual({
      cpu: 1000,
      gpu: 2,
      nonZeroCpu: 1100,
      nonZeroMemory: 2 * MEMORY,
      ports: [['TCP/0.0.0.0/80', 1]],
      podsByController: [['r1', 1]],
      pods: 2,
      podsWithAffinity: 1,
    });
    info.remove(plain);
    info.remove(owned);
    expect(sums(info)).toEqual(NOTHING);
  });

  test('does not lose a pod twice', () => {
    const info = new NodeInfo('n');
    info.add(plain);
    info.remove(plain);
    info.remove(plain);
    expect(sums(info)).toEqual(NOTHING);
  });

  test('can be looked at without some pods', () => {
    const info = new NodeInfo('n');
    info.setNode(makeNode('n'));
    info.add(owned);
    info.add(plain);
    const copy = info.without([owned]);
    expect([copy.requested.cpu, copy.pods.size, copy.allocatable, copy.node]).toEqual([
      0,
      1,
      info.allocatable,
      info.node,
    ]);
    expect([info.requested.cpu, info.pods.size]).toEqual([1000, 2]);
  });

  test('has what its status says', () => {
    const info = new NodeInfo('n');
    const images = [{ names: ['nginx:1', 'nginx@sha256:x'], sizeBytes: 7 }];
    info.setNode(makeNode('n', { status: { allocatable: { cpu: '1500m', memory: '1Ki', pods: '5' }, images } }));
    expect(info.allocatable).toMatchObject({ cpu: 1500, memory: 1024, pods: 5 });
    expect([...info.images]).toEqual([
      ['nginx:1', 7],
      ['nginx@sha256:x', 7],
    ]);
    info.setNode(undefined);
    expect([info.allocatable.cpu, info.images.size]).toEqual([0, 0]);
  });
});
