import { expect, test } from '@jest/globals';
import { stateOf } from '../cri/testing.js';
import { waiting } from '../kubelet/testing.js';
import { findEnforcer } from './enforcement.js';
import { agentOn } from './testing.js';

const stopped = { ...agentOn('worker-1'), status: { containerStatuses: [waiting('agent')] } };

test.each([
  ['kindnet', agentOn('worker-1'), true],
  ['kindnet before it knew policies', agentOn('worker-1', 'docker.io/kindest/kindnetd:v20240202-8f1494ea'), false],
  ['flannel', agentOn('worker-1', 'ghcr.io/flannel-io/flannel:v0.27.4'), false],
  ['calico', agentOn('worker-1', 'quay.io/calico/node:v3.31.0'), true],
  ['cilium, by its digest', agentOn('worker-1', 'quay.io/cilium/cilium:v1.18.0@sha256:0'), true],
  ['an agent of the same name elsewhere', agentOn('worker-2'), false],
  ['kindnet that does not run', stopped, false],
])('%s', (_name, agent, expected) => {
  expect(findEnforcer(stateOf(agent), 'worker-1') !== undefined).toBe(expected);
});
