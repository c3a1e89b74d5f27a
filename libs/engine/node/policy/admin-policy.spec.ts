import { expect, test } from '@jest/globals';
import type { KubeObject } from '../../machinery/meta/object.js';
import type { State } from '../../runtime/state/state.js';
import { judgePacket, type Verdict } from './index.js';
import { AdminNetworkPolicies, BaselineAdminNetworkPolicies, readAdminPolicy } from './admin-policy.js';
import { namespace, nodeAt, packetOf, partyOf, podAt, policy, worldOf } from './testing.js';

const web = podAt('shop/web', '10.244.1.2');
const spy = podAt('evil/spy', '10.244.1.3');
const shop: readonly KubeObject[] = [
  namespace('shop', { tier: 'prod' }),
  namespace('evil', { tier: 'test' }),
  web,
  spy,
];
const TEST = { namespaces: { matchLabels: { tier: 'test' } } };
const PROD = { namespaces: { matchLabels: { tier: 'prod' } } };

const admin = (name: string, spec: object): KubeObject =>
  ({ kind: 'AdminNetworkPolicy', metadata: { name }, spec: { subject: PROD, ...spec } }) as unknown as KubeObject;
const from = (action: string, more: object = {}): object => ({ ingress: [{ action, from: [TEST], ...more }] });

function worldWith(admins: readonly KubeObject[], baseline: readonly KubeObject[], ...more: KubeObject[]): State {
  const world = worldOf(...shop, ...more);
  for (const one of admins) world.put(world.resourceOf(AdminNetworkPolicies as never), one, 'test', 0);
  for (const one of baseline) world.put(world.resourceOf(BaselineAdminNetworkPolicies as never), one, 'test', 0);
  return world;
}
const judge = (world: State, port = 80): Verdict => judgePacket(world, packetOf(partyOf(spy), partyOf(web), port));

const closed = policy('shop/closed', {});
const open = policy('shop/open', { ingress: [{}] });

test.each<[string, KubeObject[], KubeObject[], KubeObject[], boolean]>([
  ['none', [], [], [], true],
  ['a denial', [admin('a', { priority: 1, ...from('Deny') })], [], [], false],
  [
    'the lower number comes first',
    [admin('a', { priority: 2, ...from('Deny') }), admin('b', { priority: 1, ...from('Allow') })],
    [],
    [],
    true,
  ],
  [
    'a denial comes before what NetworkPolicies allow',
    [admin('a', { priority: 1, ...from('Deny') })],
    [],
    [open],
    false,
  ],
  ['so does permission', [admin('a', { priority: 1, ...from('Allow') })], [], [closed], true],
  [
    'what is passed on is left to NetworkPolicies',
    [admin('a', { priority: 1, ...from('Pass') }), admin('b', { priority: 2, ...from('Deny') })],
    [],
    [open],
    true,
  ],
  ['another subject', [admin('a', { priority: 1, subject: TEST, ...from('Deny') })], [], [], true],
  [
    'pods as the subject',
    [
      admin('a', {
        priority: 1,
        ...from('Deny'),
        subject: {
          pods: { namespaceSelector: {}, podSelector: { matchLabels: { pod: 'web' } } },
        },
      }),
    ],
    [],
    [],
    false,
  ],
  ['the baseline is asked last', [], [admin('default', from('Deny'))], [], false],
  ['and not where NetworkPolicies have spoken', [], [admin('default', from('Deny'))], [open], true],
  [
    'ports',
    [admin('a', { priority: 1, ...from('Deny', { ports: [{ portNumber: { port: 81, protocol: 'TCP' } }] }) })],
    [],
    [],
    true,
  ],
  [
    'a range of ports',
    [
      admin('a', {
        priority: 1,
        ...from('Deny', {
          ports: [{ portRange: { start: 80, end: 90, protocol: 'TCP' } }],
        }),
      }),
    ],
    [],
    [],
    false,
  ],
  [
    'a named port',
    [admin('a', { priority: 1, ...from('Deny', { ports: [{ namedPort: 'serve-80-tcp' }] }) })],
    [],
    [],
    false,
  ],
  ['an action that nobody knows', [admin('a', { priority: 1, ...from('Explode') })], [], [], true],
])('%s', (_name, admins, baseline, policies, allowed) => {
  expect(judge(worldWith(admins, baseline, ...policies)).allowed).toBe(allowed);
});

test.each<[string, object, boolean]>([
  ['a network', { networks: ['172.18.0.0/24'] }, false],
  ['another network', { networks: ['10.0.0.0/8'] }, true],
  ['nodes by their labels', { nodes: { matchLabels: { gpu: 'yes' } } }, false],
  ['a domain, which has no address in a closed network', { domainNames: ['example.com.'] }, true],
])('egress to %s', (_name, to, allowed) => {
  const world = worldWith(
    [admin('a', { priority: 1, egress: [{ action: 'Deny', to: [to] }] })],
    [],
    nodeAt('worker-9', '172.18.0.9', { gpu: 'yes' }),
  );
  const node = { ip: '172.18.0.9', node: 'worker-9' };
  expect(judgePacket(world, packetOf(partyOf(web), node, 443)).allowed).toBe(allowed);
});

test('a verdict names the policy and its rule', () => {
  const world = worldWith([admin('a', { priority: 1, ...from('Deny') })], []);
  expect(judge(world).decisions).toEqual([
    { direction: 'ingress', action: 'deny', pod: 'shop/web', kind: 'AdminNetworkPolicy', policies: ['a'], rule: 0 },
  ]);
});

test.each([
  [{}],
  [{ spec: 7 }],
  [{ spec: { subject: [], ingress: 'x', egress: [null, 1, { action: 'Deny', to: 3 }] } }],
])('what has another shape selects nothing: %j', (fields) => {
  const object = { metadata: { name: 'odd' }, ...fields } as unknown as KubeObject;
  expect(readAdminPolicy(object).subject).toBeUndefined();
  expect(judge(worldWith([object], [object])).allowed).toBe(true);
});
