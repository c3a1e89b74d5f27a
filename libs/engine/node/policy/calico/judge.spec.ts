import { expect, test } from '@jest/globals';
import type { KubeObject } from '../../../machinery/meta/object.js';
import { CalicoNetworkPolicies, GlobalNetworkPolicies, GlobalNetworkSets, Tiers } from '../../cni/calico/objects.js';
import { judgePacket } from '../index.js';
import { agentOn, namespace, nodeAt, packetOf, partyOf, podAt, policy } from '../testing.js';
import { stateOf } from '../../cri/testing.js';

const CALICO = 'docker.io/calico/node:v3.31.0';
const web = podAt('shop/web', '10.244.1.2', { app: 'web' }, { serviceAccountName: 'seller' });
const spy = podAt('evil/spy', '10.244.1.3', { app: 'spy' }, { serviceAccountName: 'robot' });

type Stored = readonly [resource: object, object: KubeObject];
const stored = (resource: { kind: string }, name: string, spec: object, ns?: string): Stored => [
  resource,
  {
    ...{ apiVersion: 'crd.projectcalico.org/v1', kind: resource.kind },
    metadata: { name, ...(ns === undefined ? {} : { namespace: ns }) },
    ...{ spec },
  } as KubeObject,
];
const global = (name: string, spec: object): Stored => stored(GlobalNetworkPolicies, name, spec);
const own = (name: string, spec: object): Stored => stored(CalicoNetworkPolicies, name, spec, 'shop');
const tier = (name: string, order: number, spec: object = {}): Stored => stored(Tiers, name, { order, ...spec });
const ingress = (action: string, more: object = {}): object => ({ ingress: [{ action, ...more }] });
const open = policy('shop/open', { ingress: [{}] });
const closed = policy('shop/closed', {});

/** Whether the spy reaches the web at 80, and what has decided. */
function judge(objects: readonly Stored[], others: readonly KubeObject[] = [], image = CALICO): string {
  const world = stateOf(
    ...[nodeAt('worker-1', '172.18.0.2'), agentOn('worker-1', image), web, spy, ...others],
    ...[namespace('shop', { kind: 'good' }), namespace('evil', { kind: 'bad' })],
  );
  for (const [resource, object] of objects) world.put(world.resourceOf(resource as never), object, 'test', 0);
  const { allowed, decisions } = judgePacket(world, packetOf(partyOf(spy), partyOf(web)));
  const { policies = [], rule = '' } = decisions.at(-1) ?? {};
  return `${allowed ? 'allowed' : 'denied'} ${policies.join()} ${rule}`.trim();
}

test.each<[string, readonly Stored[], readonly KubeObject[], string]>([
  ['nothing', [], [], 'allowed'],
  ['no rule of a policy matches', [own('a', {})], [], 'denied shop/a'],
  ['a denial', [own('default.a', ingress('Deny'))], [], 'denied shop/a 0'],
  ['permission', [own('a', ingress('Allow'))], [], 'allowed shop/a 0'],
  [
    'the lower order comes first',
    [own('a', { order: 2, ...ingress('Deny') }), own('b', { order: 1, ...ingress('Allow') })],
    [],
    'allowed shop/b 0',
  ],
  [
    'without an order it comes last',
    [own('a', ingress('Deny')), own('b', { order: 9_000, ...ingress('Allow') })],
    [],
    'allowed shop/b 0',
  ],
  ['what is logged goes on', [own('a', { ingress: [{ action: 'Log' }, { action: 'Allow' }] })], [], 'allowed shop/a 1'],
  [
    'NetworkPolicies have the order 1000',
    [own('a', { order: 1_001, ...ingress('Deny') })],
    [open],
    'allowed shop/open 0',
  ],
  ['before them', [own('a', { order: 999, ...ingress('Deny') })], [open], 'denied shop/a 0'],
  ['what they do not allow others may', [global('a', { order: 2_000, ...ingress('Allow') })], [closed], 'allowed a 0'],
  ['they alone', [global('a', { selector: "app == 'db'" })], [closed], 'denied shop/closed'],
  ['another selector', [global('a', { selector: "app == 'db'", ...ingress('Deny') })], [], 'allowed'],
  [
    'namespaces of a policy',
    [global('a', { namespaceSelector: "kind == 'good'", ...ingress('Deny') })],
    [],
    'denied a 0',
  ],
  [
    'accounts of a policy',
    [global('a', { serviceAccountSelector: "projectcalico.org/name == 'seller'", ...ingress('Deny') })],
    [],
    'denied a 0',
  ],
  ['a selector that cannot be read', [global('a', { selector: 'app = web', ...ingress('Deny') })], [], 'allowed'],
  [
    'egress',
    [global('a', { types: ['Egress'], selector: "app == 'spy'", egress: [{ action: 'Deny' }] })],
    [],
    'denied a 0',
  ],
  ['no types mean ingress', [global('a', { selector: "app == 'spy'", egress: [{ action: 'Deny' }] })], [], 'allowed'],
  [
    'a selector is about the own namespace',
    [own('a', ingress('Allow', { source: { selector: "app == 'spy'" } }))],
    [],
    'denied shop/a',
  ],
  [
    'that of a global policy is not',
    [global('a', ingress('Allow', { source: { selector: "app == 'spy'" } }))],
    [],
    'allowed a 0',
  ],
  [
    'namespaces of a rule',
    [own('a', ingress('Allow', { source: { namespaceSelector: "kind == 'bad'", selector: 'all()' } }))],
    [],
    'allowed shop/a 0',
  ],
  [
    'what a rule excludes',
    [global('a', ingress('Allow', { source: { notSelector: "app == 'spy'" } }))],
    [],
    'denied a',
  ],
  [
    'accounts of a rule',
    [global('a', ingress('Deny', { source: { serviceAccounts: { names: ['robot'] } } }))],
    [],
    'denied a 0',
  ],
  [
    'networks',
    [own('a', ingress('Allow', { source: { nets: ['10.244.0.0/16'], notNets: ['10.244.1.3/32'] } }))],
    [],
    'denied shop/a',
  ],
  ['a protocol', [own('a', ingress('Allow', { protocol: 'UDP' }))], [], 'denied shop/a'],
  ['by number', [own('a', ingress('Allow', { protocol: 6 }))], [], 'allowed shop/a 0'],
  [
    'ports',
    [own('a', ingress('Allow', { protocol: 'TCP', destination: { ports: ['79:81'] } }))],
    [],
    'allowed shop/a 0',
  ],
  [
    'named ports',
    [own('a', ingress('Allow', { protocol: 'TCP', destination: { ports: ['serve-80-tcp'] } }))],
    [],
    'allowed shop/a 0',
  ],
  [
    'ports that are excluded',
    [own('a', ingress('Allow', { protocol: 'TCP', destination: { notPorts: [80] } }))],
    [],
    'denied shop/a',
  ],
  [
    'sets of networks',
    [
      stored(GlobalNetworkSets, 'bad', { nets: ['10.244.1.3/32'] }),
      global('a', ingress('Deny', { source: { namespaceSelector: 'global()' } })),
    ],
    [],
    'denied a 0',
  ],
  ['for hosts', [global('a', { preDNAT: true, applyOnForward: true, ...ingress('Deny') })], [], 'allowed'],
  [
    'a tier comes first',
    [tier('security', 100), global('security.a', { tier: 'security', ...ingress('Deny') }), own('b', ingress('Allow'))],
    [],
    'denied a 0',
  ],
  [
    'what it passes is for the next',
    [tier('security', 100), global('security.a', { tier: 'security', ...ingress('Pass') }), own('b', ingress('Allow'))],
    [],
    'allowed shop/b 0',
  ],
  ['the end of a tier denies', [tier('security', 100), global('security.a', { tier: 'security' })], [open], 'denied a'],
  [
    'unless it passes',
    [tier('security', 100, { defaultAction: 'Pass' }), global('security.a', { tier: 'security' })],
    [open],
    'allowed shop/open 0',
  ],
])('%s', (_case, objects, others, outcome) => {
  expect(judge(objects, others)).toBe(outcome);
});

test('other agents do not know them', () => {
  expect(judge([own('a', ingress('Deny'))], [], 'docker.io/kindest/kindnetd:v20250512-df8de77b')).toBe('allowed');
});
