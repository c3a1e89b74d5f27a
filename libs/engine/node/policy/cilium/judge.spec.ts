import { expect, test } from '@jest/globals';
import type { KubeObject } from '../../../machinery/meta/object.js';
import { judgePacket, type Party } from '../index.js';
import { packetOf, partyOf, podAt, policy } from '../testing.js';
import { ciliumPolicy, ciliumWorld } from './testing.js';

const web = podAt('shop/web', '10.0.1.2', { app: 'web' }, { nodeName: 'worker-1' });
const spy = podAt('evil/spy', '10.0.2.3', { app: 'spy' }, { nodeName: 'worker-2' });
const shop = podAt('shop/till', '10.0.2.4', { app: 'till' }, { nodeName: 'worker-2' });
/** It was plugged in before the agent came. */
const old = podAt('shop/old', '10.244.1.9', { app: 'old' }, { nodeName: 'worker-1' });

const PARTIES: Readonly<Record<string, Party>> = {
  ...{ web: partyOf(web), spy: partyOf(spy), till: partyOf(shop), old: partyOf(old) },
  outside: { ip: '203.0.113.7' },
  'own node': { ip: '172.18.0.3', node: 'worker-1' },
  'other node': { ip: '172.18.0.4', node: 'worker-2' },
  'other router': { ip: '10.0.2.200' },
  'api server': { ip: '172.18.0.2', node: 'control-plane' },
};

function judge(policies: readonly KubeObject[], from: string, to: string, config = {}): string {
  const world = ciliumWorld([web, spy, shop, old], policies, config);
  const { allowed, decisions } = judgePacket(world, packetOf(PARTIES[from]!, PARTIES[to]!));
  const { policies: keys = [], rule = '' } = decisions.at(-1) ?? {};
  return `${allowed ? 'allowed' : 'denied'} ${keys.join()} ${rule}`.trim();
}

const WEB = { endpointSelector: { matchLabels: { app: 'web' } } };
const own = (rules: object): KubeObject => ciliumPolicy('shop/p', { ...WEB, ...rules });
const all = (rules: object): KubeObject => ciliumPolicy('c', { ...WEB, ...rules });
const port = (number: string, protocol = 'TCP'): object => ({ toPorts: [{ ports: [{ port: number, protocol }] }] });
const evil = { matchLabels: { 'io.kubernetes.pod.namespace': 'evil' } };

test.each<[string, readonly KubeObject[], string, string, string]>([
  ['nothing', [], 'spy', 'web', 'allowed'],
  ['an empty item closes', [own({ ingress: [{}] })], 'spy', 'web', 'denied shop/p'],
  ['no item closes nothing', [own({ ingress: [] })], 'spy', 'web', 'allowed'],
  ['no item names nobody', [own({ ingress: [{ fromEndpoints: [] }] })], 'till', 'web', 'denied shop/p'],
  ['its own namespace', [own({ ingress: [{ fromEndpoints: [{}] }] })], 'till', 'web', 'allowed shop/p 0'],
  ['not others', [own({ ingress: [{ fromEndpoints: [{}] }] })], 'spy', 'web', 'denied shop/p'],
  ['another by its name', [own({ ingress: [{ fromEndpoints: [evil] }] })], 'spy', 'web', 'allowed shop/p 0'],
  [
    'by a label of it',
    [own({ ingress: [{ fromEndpoints: [{ matchLabels: { 'io.cilium.k8s.namespace.labels.kind': 'good' } }] }] })],
    ...(['till', 'web', 'allowed shop/p 0'] as const),
  ],
  [
    'a source of labels',
    [own({ ingress: [{ fromEndpoints: [{ matchLabels: { 'k8s:app': 'till' } }] }] })],
    'till',
    'web',
    'allowed shop/p 0',
  ],
  ['pods of the whole cluster', [all({ ingress: [{ fromEndpoints: [{}] }] })], 'spy', 'web', 'allowed c 0'],
  ['who are no nodes', [all({ ingress: [{ fromEndpoints: [{}] }] })], 'other node', 'web', 'denied c'],
  ['ports for everybody', [own({ ingress: [port('80')] })], 'outside', 'web', 'allowed shop/p 0'],
  ['other ports', [own({ ingress: [port('81')] })], 'spy', 'web', 'denied shop/p'],
  ['a port by its name', [own({ ingress: [port('serve-80-tcp')] })], 'spy', 'web', 'allowed shop/p 0'],
  ['any port', [own({ ingress: [port('0', 'ANY')] })], 'spy', 'web', 'allowed shop/p 0'],
  ['another protocol', [own({ ingress: [port('80', 'UDP')] })], 'spy', 'web', 'denied shop/p'],
  ['the host is never denied', [own({ ingress: [{}] })], 'own node', 'web', 'allowed'],
  ['other nodes are', [own({ ingress: [{}] })], 'other node', 'web', 'denied shop/p'],
  [
    'unless they are named',
    [own({ ingress: [{ fromEntities: ['remote-node'] }] })],
    'other node',
    'web',
    'allowed shop/p 0',
  ],
  [
    'by their routers',
    [own({ ingress: [{ fromEntities: ['remote-node'] }] })],
    'other router',
    'web',
    'allowed shop/p 0',
  ],
  ['the cluster', [own({ ingress: [{ fromEntities: ['cluster'] }] })], 'spy', 'web', 'allowed shop/p 0'],
  ['is not the world', [own({ ingress: [{ fromEntities: ['cluster'] }] })], 'outside', 'web', 'denied shop/p'],
  ['the world', [own({ ingress: [{ fromEntities: ['world'] }] })], 'outside', 'web', 'allowed shop/p 0'],
  ['networks mean no pods', [own({ ingress: [{ fromCIDR: ['0.0.0.0/0'] }] })], 'spy', 'web', 'denied shop/p'],
  [
    'they mean what is outside',
    [own({ ingress: [{ fromCIDR: ['203.0.113.0/24'] }] })],
    'outside',
    'web',
    'allowed shop/p 0',
  ],
  [
    'without exceptions',
    [own({ ingress: [{ fromCIDRSet: [{ cidr: '203.0.113.0/24', except: ['203.0.113.7/32'] }] }] })],
    ...(['outside', 'web', 'denied shop/p'] as const),
  ],
  [
    'who has no identity is outside',
    [own({ ingress: [{ fromEntities: ['world'] }] })],
    'old',
    'web',
    'allowed shop/p 0',
  ],
  ['and has no policies', [ciliumPolicy('shop/p', { endpointSelector: {}, ingress: [{}] })], 'spy', 'old', 'allowed'],
  [
    'a denial comes first',
    [own({ ingress: [{ fromEntities: ['all'] }] }), all({ ingressDeny: [{ fromEndpoints: [evil] }] })],
    ...(['spy', 'web', 'denied c 0'] as const),
  ],
  ['denials close, too', [all({ ingressDeny: [{ fromEndpoints: [evil] }] })], 'till', 'web', 'denied c'],
  [
    'unless they are told not to',
    [all({ enableDefaultDeny: { ingress: false }, ingressDeny: [{ fromEndpoints: [evil] }] })],
    ...(['till', 'web', 'allowed'] as const),
  ],
  [
    'what may not close may allow',
    [own({ ingress: [{}] }), all({ enableDefaultDeny: { ingress: false }, ingress: [{ fromEndpoints: [evil] }] })],
    ...(['spy', 'web', 'allowed c 0'] as const),
  ],
  ['egress', [own({ egress: [{ toEndpoints: [{}] }] })], 'web', 'spy', 'denied shop/p'],
  ['egress to the own node', [own({ egress: [{ toEndpoints: [{}] }] })], 'web', 'own node', 'denied shop/p'],
  ['the host by its name', [own({ egress: [{ toEntities: ['host'] }] })], 'web', 'own node', 'allowed shop/p 0'],
  ['the API server', [own({ egress: [{ toEntities: ['kube-apiserver'] }] })], 'web', 'api server', 'allowed shop/p 0'],
  ['networks mean no nodes', [own({ egress: [{ toCIDR: ['172.18.0.0/16'] }] })], 'web', 'other node', 'denied shop/p'],
  [
    'names outside mean nobody',
    [own({ egress: [{ toFQDNs: [{ matchPattern: '*' }] }] })],
    'web',
    'outside',
    'denied shop/p',
  ],
  [
    'NetworkPolicies are rules like others',
    [policy('shop/n', { ingress: [{}] }), own({ ingress: [{}] })],
    'spy',
    'web',
    'allowed shop/n 0',
  ],
  ['they close', [policy('shop/n', {})], 'spy', 'web', 'denied shop/n'],
  [
    'their namespaces',
    [policy('shop/n', { ingress: [{ from: [{ namespaceSelector: { matchLabels: { kind: 'good' } } }] }] })],
    ...(['till', 'web', 'allowed shop/n 0'] as const),
  ],
  [
    'their blocks mean no pods',
    [policy('shop/n', { ingress: [{ from: [{ ipBlock: { cidr: '0.0.0.0/0' } }] }] })],
    ...(['spy', 'web', 'denied shop/n'] as const),
  ],
  ['what is not valid does nothing', [ciliumPolicy('shop/p', { ingress: [{}] })], 'spy', 'web', 'allowed'],
])('%s', (_case, policies, from, to, outcome) => {
  expect(judge(policies, from, to)).toBe(outcome);
});

test.each<[string, object, string]>([
  ['always', { 'enable-policy': 'always' }, 'denied'],
  ['never', { 'enable-policy': 'never' }, 'allowed'],
])('the mode %s', (mode, config, outcome) => {
  const policies = mode === 'never' ? [own({ ingress: [{}] })] : [];
  expect(judge(policies, 'spy', 'web', config)).toBe(outcome);
});

test('networks mean nodes when the agents are told so', () => {
  const policies = [own({ egress: [{ toCIDR: ['172.18.0.0/16'] }] })];
  expect(judge(policies, 'web', 'other node', { 'policy-cidr-match-mode': 'nodes' })).toBe('allowed shop/p 0');
});
