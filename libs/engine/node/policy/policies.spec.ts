import { describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../machinery/meta/object.js';
import { stateOf } from '../cri/testing.js';
import { NetworkPolicies } from '../../kinds/index.js';
import { judgePacket, type Party } from './index.js';
import { agentOn, namespace, nodeAt, packetOf, partyOf, podAt, policy, worldOf } from './testing.js';

const web = podAt('shop/web', '10.244.1.2');
const near = podAt('shop/near', '10.244.1.3');
const far = podAt('shop/far', '10.244.2.2', {}, { nodeName: 'worker-2' });
const ownNode: Party = { ip: '172.18.0.2', node: 'worker-1' };
const otherNode: Party = { ip: '172.18.0.3', node: 'worker-2' };
const denyAll = policy('shop/deny-all', { policyTypes: ['Ingress', 'Egress'] });
const shop: readonly KubeObject[] = [namespace('shop'), web, near, far];

describe('a pod that may do nothing', () => {
  const world = worldOf(...shop, denyAll);

  test.each<[string, Party, Party, boolean]>([
    ['is not reached by a pod of its node', partyOf(near), partyOf(web), false],
    ['reaches nobody', partyOf(web), partyOf(far), false],
    ['reaches itself', partyOf(web), partyOf(web), true],
    ["is reached by its node: the kubelet's probes", ownNode, partyOf(web), true],
    ['reaches its node', partyOf(web), ownNode, true],
    ['is not reached by another node', otherNode, partyOf(web), false],
    ['does not reach another node', partyOf(web), otherNode, false],
    ['is not reached from outside', { ip: '203.0.113.7' }, partyOf(web), false],
    ['leaves alone what is on a node', otherNode, ownNode, true],
  ])('%s', (_name, from, to, allowed) => {
    expect(judgePacket(world, packetOf(from, to)).allowed).toBe(allowed);
  });
});

test('a verdict names the policy and the rule that decided', () => {
  const world = worldOf(
    ...shop,
    policy('shop/a-deny', {}),
    policy('shop/b-allow', {
      podSelector: { matchLabels: { pod: 'web' } },
      ingress: [
        { from: [{ podSelector: { matchLabels: { pod: 'far' } } }] },
        { ports: [{ protocol: 'TCP', port: 81 }] },
      ],
    }),
  );
  expect(judgePacket(world, packetOf(partyOf(near), partyOf(web), 81))).toEqual({
    allowed: true,
    decisions: [
      {
        direction: 'ingress',
        action: 'allow',
        pod: 'shop/web',
        kind: 'NetworkPolicy',
        policies: ['shop/b-allow'],
        rule: 1,
      },
    ],
  });
  expect(judgePacket(world, packetOf(partyOf(near), partyOf(web))).decisions).toEqual([
    {
      direction: 'ingress',
      action: 'deny',
      pod: 'shop/web',
      kind: 'NetworkPolicy',
      policies: ['shop/a-deny', 'shop/b-allow'],
    },
  ]);
});

test('what selects a pod follows the policies and the labels', () => {
  const world = worldOf(...shop);
  const packet = packetOf(partyOf(near), partyOf(web));
  const isAllowed = (to = web): boolean => judgePacket(world, { ...packet, destination: partyOf(to) }).allowed;
  expect(isAllowed()).toBe(true);
  const closed = policy('shop/closed', { podSelector: { matchLabels: { pod: 'web' } } });
  world.put(world.resourceOf(NetworkPolicies), closed, 'test', 0);
  expect(isAllowed()).toBe(false);
  expect(isAllowed({ ...web, metadata: { ...web.metadata, labels: { pod: 'other' } } })).toBe(true);
  world.remove(world.resourceOf(NetworkPolicies), { namespace: 'shop', name: 'closed' }, 'test', 0);
  expect(isAllowed()).toBe(true);
});

describe('who enforces', () => {
  const nodes = [nodeAt('worker-1', '172.18.0.2'), nodeAt('worker-2', '172.18.0.3')];
  const flannel = 'ghcr.io/flannel-io/flannel:v0.27.4';
  const closed = policy('shop/closed', { podSelector: { matchLabels: { pod: 'web' } } });

  test.each([
    ["an agent on the pod's node", [agentOn('worker-1')], false],
    ['nobody: the network carries everything', [], true],
    ['flannel, which knows no policies', [agentOn('worker-1', flannel), agentOn('worker-2', flannel)], true],
    ["the other end's agent only, which looks at its own pods", [agentOn('worker-2')], true],
  ])('%s', (_name, agents, allowed) => {
    const world = stateOf(...nodes, ...shop, closed, ...agents);
    expect(judgePacket(world, packetOf(partyOf(far), partyOf(web))).allowed).toBe(allowed);
  });
});
