import { expect, test } from '@jest/globals';
import type { KubeObject } from '../machinery/meta/object.js';
import { stateOf } from './cri/testing.js';
import { dialAsApiServer } from './dial-as-api-server.js';
import { ClusterNetwork } from './network/cluster-network.js';
import { agentOn, namespace, nodeAt, podAt, policy } from './policy/testing.js';

const CONTROL_PLANE = { 'node-role.kubernetes.io/control-plane': '' };
const web = podAt('shop/web', '10.244.1.2');
const nodes = [
  { ...nodeAt('cp', '172.18.0.2', CONTROL_PLANE), spec: { podCIDR: '10.244.0.0/24' } },
  { ...nodeAt('worker-1', '172.18.0.3'), spec: { podCIDR: '10.244.1.0/24' } },
];
const closed = policy('shop/closed', {});

test.each<[string, readonly KubeObject[], typeof web, object]>([
  ['a pod that nothing protects', [...nodes], web, { status: 200 }],
  ['one that a policy closes', [...nodes, closed], web, { error: 'dial tcp 10.244.1.2:80: i/o timeout' }],
  [
    'one on the network of its node',
    [...nodes, closed],
    { ...web, spec: { ...web.spec, hostNetwork: true } },
    { status: 200 },
  ],
  ['one of a cluster without a control plane', [nodes[1]!, closed], web, { status: 200 }],
  [
    'one whose address is gone',
    [...nodes],
    podAt('shop/gone', '10.244.1.99'),
    { error: 'dial tcp 10.244.1.99:80: connect: no route to host' },
  ],
])('%s', (_name, objects, pod, expected) => {
  const state = stateOf(namespace('shop'), web, agentOn('cp'), agentOn('worker-1'), ...objects);
  const dial = dialAsApiServer(() => ({ status: 200 }), new ClusterNetwork(state), state);
  expect(dial(pod, { method: 'GET', path: '/', port: 80 } as Parameters<typeof dial>[1], 0)).toEqual(expected);
});
