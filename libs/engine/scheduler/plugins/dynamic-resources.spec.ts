import { expect, test } from '@jest/globals';
import type { PodResourceClaim } from '../../api/core_v1.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { filterNodes, makeNode, makePod, snapshotOf } from '../testing.js';
import { deviceClass, object, slice } from '../devices/testing.js';
import { dynamicResources } from './dynamic-resources.js';

const NODES = [makeNode('a'), makeNode('b')];
const claim = (status: object = {}, exactly: object = {}): KubeObject =>
  object('ResourceClaim', 'gpu', {
    spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu', count: 1, ...exactly } }] } },
    status,
  });
const onB = [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['b'] }] }];
const named: PodResourceClaim = { name: 'c', resourceClaimName: 'gpu' };
const taking = (nodeName: string): KubeObject =>
  object('ResourceClaim', 'other', {
    spec: {},
    status: { allocation: { devices: { results: [{ request: 'r', driver: 'd', pool: nodeName, device: 'd0' }] } } },
  });

const NONE = 'cannot allocate all claims';
const ELSEWHERE = '!resourceclaim not available on the node';
const CLASS = deviceClass('gpu');
const consumers = Array.from({ length: 256 }, (_, i) => ({ resource: 'pods', name: `p${i}`, uid: `x${i}` }));
const failing = deviceClass('gpu', 'device.attributes["d"].model == "x"');

test.each<[string, readonly PodResourceClaim[], readonly KubeObject[], unknown]>([
  ['no claim', [], [], 'Skip'],
  ['a claim that is not there', [named], [], 'resourceclaim "gpu" not found'],
  ['a class that is not there', [named], [claim()], 'request r: device class gpu does not exist'],
  ['a claim without devices', [named], [CLASS, claim()], { a: NONE, b: NONE }],
  ['devices of one node', [named], [CLASS, claim(), slice('a')], { b: NONE }],
  ['a device that another has', [named], [CLASS, claim(), slice('a'), slice('b'), taking('a')], { a: NONE }],
  ['devices of all nodes', [named], [CLASS, claim(), slice('all', { nodeName: undefined, allNodes: true })], {}],
  ['too few devices', [named], [CLASS, claim({}, { count: 2 }), slice('a')], { a: NONE, b: NONE }],
  [
    'a selector that fails',
    [named],
    [failing, claim(), slice('a')],
    { a: '!class gpu: selector #0: CEL runtime error: no such key: model', b: NONE },
  ],
  ['an allocation', [named], [claim({ allocation: { nodeSelector: { nodeSelectorTerms: onB } } })], { a: ELSEWHERE }],
  ['an allocation of many pods', [named], [claim({ allocation: {}, reservedFor: consumers })], 'resourceclaim in use'],
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
