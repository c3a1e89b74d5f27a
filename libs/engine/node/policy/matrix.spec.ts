import { expect, test } from '@jest/globals';
import type { NetworkPolicy, NetworkPolicyPeer, NetworkPolicySpec } from '../../api/networking_v1.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { judgePacket, type Protocol } from './index.js';
import { namespace, packetOf, partyOf, podAt, policy, worldOf } from './testing.js';

/**
 * Three namespaces of three pods, each a client of each, as upstream's suite has it (test/e2e/network/netpol). What a
 * policy denies is written as FROM>TO, where * stands for any pod, x/* for those of a namespace; then come exceptions.
 */
const NAMESPACES = ['x', 'y', 'z'];
const NAMES = ['a', 'b', 'c'];
const KEYS = NAMESPACES.flatMap((ns) => NAMES.map((name) => `${ns}/${name}`));
const ipOf = (key: string): string => `10.244.${NAMESPACES.indexOf(key[0]!) + 1}.${NAMES.indexOf(key[2]!) + 2}`;

interface Case {
  readonly name: string;
  readonly policies: readonly NetworkPolicy[];
  readonly port?: number;
  readonly protocol?: Protocol;
  readonly denied?: string;
  readonly except?: string;
  readonly labels?: Readonly<Record<string, Record<string, string>>>;
}

const ns = (value: string): NetworkPolicyPeer['namespaceSelector'] => ({ matchLabels: { ns: value } });
const notIn = (key: string, ...values: string[]): NetworkPolicyPeer['namespaceSelector'] => ({
  matchExpressions: [{ key, operator: 'NotIn', values }],
});
const isIn = (key: string, ...values: string[]): NetworkPolicyPeer['podSelector'] => ({
  matchExpressions: [{ key, operator: 'In', values }],
});
const POD_A = { podSelector: { matchLabels: { pod: 'a' } } };
const POD_B = { podSelector: { matchLabels: { pod: 'b' } } };
const tcp = (port?: number | string, endPort?: number) => ({ protocol: 'TCP', port, ...(endPort ? { endPort } : {}) });
const inX = (spec: Partial<NetworkPolicySpec>, name = 'one'): NetworkPolicy => policy(`x/${name}`, spec);
const ingressOfA = (...from: NetworkPolicyPeer[]): NetworkPolicy => inX({ ...POD_A, ingress: [{ from }] });
const egressOfA = (...to: NetworkPolicyPeer[]): NetworkPolicy =>
  inX({ ...POD_A, policyTypes: ['Egress'], egress: [{ to }] });
const BOTH = ['Ingress', 'Egress'];

const cases: readonly Case[] = [
  { name: 'no policy', policies: [] },
  { name: 'default deny ingress', policies: [inX({})], denied: '*>x/*' },
  { name: 'default deny all', policies: [inX({ policyTypes: BOTH })], denied: '*>x/* x/*>*' },
  { name: 'from a pod of the own namespace', policies: [ingressOfA(POD_B)], denied: '*>x/a', except: 'x/b>x/a' },
  {
    name: 'deny all and allow to a target',
    policies: [inX({}), inX({ ...POD_A, ingress: [{ from: [{ podSelector: {}, namespaceSelector: {} }] }] }, 'two')],
    denied: '*>x/b *>x/c',
  },
  { name: 'from all namespaces', policies: [ingressOfA({ namespaceSelector: {} })] },
  {
    name: 'from another namespace',
    policies: [ingressOfA({ namespaceSelector: ns('y') })],
    denied: 'x/*>x/a z/*>x/a',
  },
  {
    name: 'expressions over pods',
    policies: [ingressOfA({ podSelector: isIn('pod', 'b') })],
    denied: '*>x/a',
    except: 'x/b>x/a',
  },
  {
    name: 'expressions over namespaces',
    policies: [ingressOfA({ namespaceSelector: isIn('ns', 'y') })],
    denied: 'x/*>x/a z/*>x/a',
  },
  {
    name: 'pods or namespaces',
    policies: [ingressOfA({ namespaceSelector: notIn('ns', 'x') }, POD_B)],
    denied: 'x/c>x/a',
  },
  {
    name: 'pods and namespaces',
    policies: [ingressOfA({ namespaceSelector: notIn('ns', 'x'), ...POD_B })],
    denied: '*>x/a',
    except: 'y/b>x/a z/b>x/a',
  },
  {
    name: 'several pods and namespaces',
    policies: [ingressOfA({ namespaceSelector: notIn('ns', 'x'), podSelector: isIn('pod', 'b', 'c') })],
    denied: 'x/*>x/a y/a>x/a z/a>x/a',
  },
  {
    name: 'any of several pods',
    policies: [ingressOfA(POD_B, { podSelector: isIn('pod', 'c') })],
    denied: '*>x/a',
    except: 'x/b>x/a x/c>x/a',
  },
  {
    name: 'one pod of another namespace',
    policies: [ingressOfA({ namespaceSelector: ns('y'), ...POD_A })],
    denied: '*>x/a',
    except: 'y/a>x/a',
  },
  ...[80, 81].map((port): Case => ({
    name: 'by port',
    policies: [inX({ ...POD_A, ingress: [{ from: [{ namespaceSelector: ns('y') }], ports: [tcp(81)] }] })],
    port,
    denied: port === 81 ? 'x/*>x/a z/*>x/a' : '*>x/a',
  })),
  {
    name: 'policies that are stacked',
    policies: [81, 80].map((port) =>
      inX({ ...POD_A, ingress: [{ from: [{ namespaceSelector: ns('y') }], ports: [tcp(port)] }] }, `p${port}`),
    ),
    denied: 'x/*>x/a z/*>x/a',
  },
  { name: 'allow all', policies: [inX({ ingress: [{}] })], port: 81 },
  ...[80, 81].map((port): Case => ({
    name: 'a named port',
    policies: [inX({ ingress: [{ ports: [tcp('serve-81-tcp')] }] })],
    port,
    denied: port === 81 ? '' : '*>x/*',
  })),
  ...[80, 81].map((port): Case => ({
    name: 'a named port from a namespace',
    policies: [inX({ ...POD_A, ingress: [{ from: [{ namespaceSelector: ns('y') }], ports: [tcp('serve-80-tcp')] }] })],
    port,
    denied: port === 80 ? 'x/*>x/a z/*>x/a' : '*>x/a',
  })),
  ...[80, 81].map((port): Case => ({
    name: 'egress to a named port',
    policies: [inX({ policyTypes: ['Egress'], egress: [{ ports: [tcp('serve-80-tcp')] }] })],
    port,
    denied: port === 80 ? '' : 'x/*>*',
  })),
  {
    name: 'a label of a namespace',
    policies: [ingressOfA({ namespaceSelector: { matchLabels: { ns2: 'updated' } } })],
    labels: { y: { ns2: 'updated' } },
    denied: 'x/*>x/a z/*>x/a',
  },
  {
    name: 'a label of a pod',
    policies: [ingressOfA({ podSelector: { matchLabels: { pod: 'b', pod2: 'updated' } } })],
    labels: { 'x/b': { pod2: 'updated' } },
    denied: '*>x/a',
    except: 'x/b>x/a',
  },
  {
    name: 'only pods of the own namespace',
    policies: [inX({ ingress: [{ from: [{ podSelector: {} }] }] })],
    denied: 'y/*>x/* z/*>x/*',
  },
  {
    name: 'a pod that gets a label is isolated',
    policies: [inX({ podSelector: { matchLabels: { target: 'isolated' } } })],
    labels: { 'x/a': { target: 'isolated' } },
    denied: '*>x/a',
  },
  { name: 'deny egress of a pod', policies: [inX({ ...POD_A, policyTypes: ['Egress'] })], denied: 'x/a>*' },
  { name: 'deny egress of a namespace', policies: [inX({ policyTypes: ['Egress'] })], denied: 'x/*>*' },
  ...[80, 81].map((port): Case => ({
    name: 'ingress and egress together',
    policies: [inX({ ...POD_A, policyTypes: BOTH, ingress: [{ from: [POD_B] }], egress: [{ ports: [tcp(80)] }] })],
    port,
    denied: port === 80 ? '*>x/a' : '*>x/a x/a>*',
    except: 'x/b>x/a',
  })),
  {
    name: 'egress is denied though the server allows it',
    policies: [
      egressOfA({ namespaceSelector: ns('y'), ...POD_A }),
      policy('y/servers', {
        podSelector: isIn('pod', 'a', 'b'),
        ingress: [{ from: [{ namespaceSelector: ns('x'), ...POD_A }] }],
      }),
    ],
    denied: 'x/a>* *>y/a *>y/b',
    except: 'x/a>y/a',
  },
  {
    name: 'egress to a pod of another namespace',
    policies: [egressOfA({ namespaceSelector: ns('y'), ...POD_A })],
    denied: 'x/a>*',
    except: 'x/a>y/a',
  },
  ...(['TCP', 'UDP'] as const).map((protocol): Case => ({
    name: 'any port of one protocol',
    policies: [inX({ ...POD_A, ingress: [{ ports: [tcp()] }] })],
    protocol,
    denied: protocol === 'TCP' ? '' : '*>x/a',
  })),
  {
    name: 'allow all takes precedence, ingress',
    policies: [ingressOfA(POD_B), inX({ ...POD_A, ingress: [{}] }, 'all')],
  },
  {
    name: 'allow all takes precedence, egress',
    policies: [
      inX({ ...POD_A, policyTypes: ['Egress'], egress: [{ ports: [tcp(80)] }] }),
      inX({ ...POD_A, policyTypes: ['Egress'], egress: [{}] }, 'all'),
    ],
    port: 81,
  },
  {
    name: 'egress to a block',
    policies: [egressOfA({ ipBlock: { cidr: `${ipOf('y/b')}/32` } })],
    denied: 'x/a>*',
    except: 'x/a>y/b',
  },
  {
    name: 'egress to a block without an address',
    policies: [egressOfA({ ipBlock: { cidr: '10.244.0.0/16', except: [`${ipOf('x/b')}/32`] } })],
    denied: 'x/a>x/b',
  },
  {
    name: 'an address in a block and in an exception of another',
    policies: [
      egressOfA({ ipBlock: { cidr: '10.244.1.0/24', except: [`${ipOf('x/b')}/32`] } }),
      inX({ ...POD_A, policyTypes: ['Egress'], egress: [{ to: [{ ipBlock: { cidr: `${ipOf('x/b')}/32` } }] }] }, 'two'),
    ],
    denied: 'x/a>y/* x/a>z/*',
  },
  {
    name: 'ingress from a block',
    policies: [ingressOfA({ ipBlock: { cidr: '10.244.2.0/24' } })],
    denied: 'x/*>x/a z/*>x/a',
  },
  {
    name: 'directions are independent',
    policies: [inX({ ...POD_A, policyTypes: ['Egress'], egress: [{}] }), inX({ ...POD_A }, 'deny')],
    denied: '*>x/a',
  },
  {
    name: 'SCTP is not TCP',
    policies: [inX({}), inX({ ...POD_A, ingress: [{ ports: [{ protocol: 'SCTP', port: 81 }] }] }, 'sctp')],
    port: 81,
    denied: '*>x/*',
  },
  ...(['TCP', 'UDP', 'SCTP'] as const).map((protocol): Case => ({
    name: 'who is selected for SCTP is isolated for all',
    policies: [inX({ ...POD_A, ingress: [{ ports: [{ protocol: 'SCTP', port: 80 }] }] })],
    protocol,
    denied: protocol === 'SCTP' ? '' : '*>x/a',
  })),
  {
    name: 'UDP is not TCP',
    policies: [inX({ ...POD_A, ingress: [{ ports: [{ protocol: 'UDP', port: 81 }] }] })],
    port: 81,
    denied: '*>x/a',
  },
  {
    name: "a namespace's own label",
    policies: [ingressOfA({ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'y' } } })],
    denied: 'x/*>x/a z/*>x/a',
  },
  {
    name: "expressions over a namespace's own label",
    policies: [egressOfA({ namespaceSelector: notIn('kubernetes.io/metadata.name', 'y') })],
    denied: 'x/a>y/*',
  },
  ...[79, 80, 81].map((port): Case => ({
    name: 'a range of ports',
    policies: [inX({ ...POD_A, ingress: [{ ports: [tcp(80, 81)] }] })],
    port,
    denied: port === 79 ? '*>x/a' : '',
  })),
];

const covers = (pattern: string, key: string): boolean =>
  pattern === '*' || pattern === key || (pattern.endsWith('/*') && key.startsWith(pattern.slice(0, -1)));
const isListed = (list: string | undefined, from: string, to: string): boolean =>
  (list ?? '').split(' ').some((one) => {
    const [source = '', target = ''] = one.split('>');
    return covers(source, from) && covers(target, to);
  });

test.each(cases)('$name $port $protocol', ({ policies, port = 80, protocol = 'TCP', denied, except, labels = {} }) => {
  const pods = new Map(
    KEYS.map((key, i) => [key, podAt(key, ipOf(key), labels[key], { nodeName: `worker-${(i % 2) + 1}` })]),
  );
  const objects: KubeObject[] = [
    ...NAMESPACES.map((one) => namespace(one, { ns: one, ...labels[one] })),
    ...pods.values(),
  ];
  const world = worldOf(...objects, ...policies);
  const flows = KEYS.flatMap((from) => KEYS.map((to) => [from, to] as const)).filter(([from, to]) => from !== to);
  const shown = (isAllowed: (from: string, to: string) => boolean): string[] =>
    flows.map(([from, to]) => `${from}>${to} ${isAllowed(from, to)}`);
  const seen = shown(
    (from, to) =>
      judgePacket(world, packetOf(partyOf(pods.get(from)!), partyOf(pods.get(to)!), port, protocol)).allowed,
  );
  expect(seen).toEqual(shown((from, to) => !isListed(denied, from, to) || isListed(except, from, to)));
});
