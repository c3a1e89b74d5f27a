import { expect, test } from '@jest/globals';
import { Nodes, NodeRuntimes } from '../../../kinds/index.js';
import type { NodeRuntime, NodeService } from '../../../kinds/terrarium/noderuntime/kind.js';
import { clientOf, stateOf } from '../../cri/testing.js';
import { nodeTemplate } from '../../kubelet/nodestatus/node-template.js';
import { followUnregistered, registerStarted } from './register.js';

const service = (state: NodeService['state'], run: string): NodeService => ({ state, run, since: '' });
const template = nodeTemplate({
  ...{ name: 'worker-1', internalIP: '172.18.0.3', podCIDR: '10.244.1.0/24' },
  labels: { disk: 'ssd', 'node-role.kubernetes.io/control-plane': '' },
});
const host = { ...template, spec: { ...template.spec, unschedulable: true } };

/** The Node that comes of it, and the record. */
function follow(was: NodeService, is: NodeService, fault?: NodeRuntime['fault']) {
  const before: NodeRuntime = {
    ...{ apiVersion: 'terrarium.dev/v1alpha1', kind: 'NodeRuntime', metadata: { name: 'worker-1' } },
    ...{ kubelet: was, containerd: service('running', 'boot'), machine: host },
    ...(fault ? { fault } : {}),
  };
  const state = stateOf(before);
  const view = { kubelet: is, containerd: before.containerd };
  registerStarted(clientOf(state), host, before, view);
  followUnregistered(clientOf(state), host, before, view);
  return {
    node: state.get(Nodes, { namespace: '', name: 'worker-1' }),
    runtime: state.get(NodeRuntimes, { namespace: '', name: 'worker-1' })!,
  };
}

test.each<[string, NodeService, NodeService, NodeRuntime['fault'], boolean]>([
  ['goes on', service('running', 'boot'), service('running', 'boot'), undefined, false],
  ['is stopped', service('running', 'boot'), service('stopped', 'boot'), undefined, false],
  ['is started', service('stopped', 'boot'), service('running', 'a'), undefined, true],
  ['is restarted', service('running', 'boot'), service('running', 'a'), undefined, true],
  ['ends at once', service('running', 'boot'), service('failing', 'a'), undefined, false],
  ['comes up at last', service('failing', 'a'), service('running', 'a'), undefined, true],
  ['is there again with its node', service('running', 'boot'), service('running', 'boot'), 'off', true],
])('a kubelet that %s', (_case, was, is, fault, isRegistered) => {
  const { node, runtime } = follow(was, is, fault);
  expect(runtime).toMatchObject({ kubelet: is, machine: { metadata: { name: 'worker-1' } } });
  expect(node !== undefined).toBe(isRegistered);
});

test('a Node that is registered again has nothing of what somebody said of the first one', () => {
  const { node } = follow(service('running', 'boot'), service('running', 'a'));
  expect(node).toMatchObject({ spec: { podCIDR: '10.244.1.0/24' }, status: { conditions: [] } });
  expect(node!.spec.unschedulable).toBeUndefined();
  expect(node!.metadata.labels).not.toHaveProperty('disk');
  expect(node!.metadata.labels).toHaveProperty(['node-role.kubernetes.io/control-plane']);
});
