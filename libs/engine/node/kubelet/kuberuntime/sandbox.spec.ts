import { describe, expect, test } from '@jest/globals';
import { node, NOW, pod } from '../testing.js';
import { createPodSandbox, type SandboxDecision, type SandboxRequest } from './sandbox.js';

const create = (more: Partial<SandboxRequest> = {}): SandboxDecision =>
  createPodSandbox({
    pod: pod(),
    node: node(),
    due: NOW,
    now: NOW,
    duration: () => 500,
    retry: (failure) => (failure === 'network' ? 1_000 : 15_000),
    allocate: () => ({ ip: '10.244.1.7' }),
    newID: () => 'abc',
    ...more,
  });

describe('a pod sandbox', () => {
  test('takes a while from the first sync on', () => {
    expect(create({ due: undefined })).toEqual({ due: NOW + 500 });
  });
  test('is waited for', () => {
    expect(create({ due: NOW + 1 })).toEqual({ due: NOW + 1 });
  });
  test('gives the pod its address', () => {
    expect(create()).toEqual({ podIP: '10.244.1.7' });
  });
  test('on the host’s network has the node’s address', () => {
    expect(create({ pod: pod({ hostNetwork: true }) })).toEqual({ podIP: '172.18.0.2' });
  });
  test('without a free address is reported, and tried again after 15 s', () => {
    const { due, events } = create({ allocate: () => ({ usedUp: '10.244.1.1-10.244.1.254' }) });
    expect(due).toBe(NOW + 15_000);
    expect(events).toEqual([
      {
        type: 'Warning',
        reason: 'FailedCreatePodSandBox',
        message:
          'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "abc": plugin type="ptp" failed (add): failed to allocate for range 0: no IP addresses available in range set: 10.244.1.1-10.244.1.254',
      },
    ]);
  });
  test('without its runtime is reported before it has a network, without its shim after', () => {
    const before = create({ due: undefined, runtime: { before: (id) => `no runtime for ${id}` } });
    expect([before.due, before.events?.[0]?.message]).toEqual([
      NOW + 15_000,
      'Failed to create pod sandbox: no runtime for abc',
    ]);
    const runtime = { after: () => 'no shim' };
    expect(create({ due: undefined, runtime })).toEqual({ due: NOW + 500 });
    expect(create({ runtime }).events?.[0]?.message).toBe('Failed to create pod sandbox: no shim');
  });
  test.each([
    [
      { error: 'cni plugin not initialized' },
      'NetworkNotReady',
      'network is not ready: container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady ' +
        'message:Network plugin returns error: cni plugin not initialized',
    ],
    [
      { failure: 'plugin type="x" failed (add): failed to find plugin "x" in path [/opt/cni/bin]' },
      'FailedCreatePodSandBox',
      'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "abc": ' +
        'plugin type="x" failed (add): failed to find plugin "x" in path [/opt/cni/bin]',
    ],
  ])('on a node without a network: %j', (network, reason, message) => {
    const isSoon = reason === 'NetworkNotReady';
    const events = [{ type: 'Warning', reason, message }];
    expect(create({ network })).toEqual({ due: NOW + (isSoon ? 1_000 : 15_000), events });
    const old = pod({}, { startTime: new Date(NOW - 60_000).toISOString() });
    expect(create({ network, pod: old })).toEqual({ due: NOW + 15_000, events });
    expect(create({ network, pod: pod({ hostNetwork: true }) })).toEqual({ podIP: '172.18.0.2' });
  });
});
