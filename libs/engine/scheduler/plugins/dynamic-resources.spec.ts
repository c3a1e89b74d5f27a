import { expect, test } from '@jest/globals';
import type { PodResourceClaim } from '../../api/core_v1.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { filterNodes, makeNode, makePod, snapshotOf } from '../testing.js';
import { dynamicResources } from './dynamic-resources.js';

const NODES = [makeNode('a'), makeNode('b')];
const object = (kind: string, name: string, fields: object): KubeObject =>
  ({
    apiVersion: 'resource.k8s.io/v1',
    kind,
    metadata: { name, ...(kind === 'ResourceClaim' ? { namespace: 'default' } : {}) },
    ...fields,
  }) as unknown as KubeObject;
const claim = (status: object = {}): KubeObject => object('ResourceClaim', 'gpu', { spec: { devices: {} }, status });
const slice = (spec: object): KubeObject =>
  object('ResourceSlice', 's', { spec: { driver: 'd', pool: {}, devices: [{ name: 'd0' }], ...spec } });
const onB = [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['b'] }] }];
const named: PodResourceClaim = { name: 'c', resourceClaimName: 'gpu' };

const NONE = '!cannot allocate all claims';
const ELSEWHERE = '!resourceclaim not available on the node';

test.each<[string, readonly PodResourceClaim[], readonly KubeObject[], unknown]>([
  ['no claim', [], [], 'Skip'],
  ['a claim that is not there', [named], [], 'resourceclaim "gpu" not found'],
  ['a claim without devices', [named], [claim()], { a: NONE, b: NONE }],
  ['devices of one node', [named], [claim(), slice({ nodeName: 'a' })], { b: NONE }],
  ['devices of all nodes', [named], [claim(), slice({ allNodes: true })], {}],
  ['an allocation', [named], [claim({ allocation: { nodeSelector: { nodeSelectorTerms: onB } } })], { a: ELSEWHERE }],
])('a pod with %s', (_, resourceClaims, objects, expected) =>
  expect(
    filterNodes(dynamicResources, makePod({ resourceClaims: [...resourceClaims] }), snapshotOf(NODES, [], objects)),
  ).toEqual(expected),
);

test('a template of which no claim was made yet', () => {
  const pod = makePod({ resourceClaims: [{ name: 'c', resourceClaimTemplateName: 't' }] });
  const found = filterNodes(dynamicResources, pod, snapshotOf(NODES));
  expect(found).toBe(`pod "default/${pod.metadata.name}": ResourceClaim not created yet`);
});
