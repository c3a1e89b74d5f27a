import { describe, expect, test } from '@jest/globals';
import { AGE, create, errorsOf, make, row, updateErrors } from '../testing.js';
import { kind as Ingresses } from './ingress/kind.js';
import { kind as IngressClasses } from './ingressclass/kind.js';
import { kind as IPAddresses } from './ipaddress/kind.js';
import { kind as NetworkPolicies } from './networkpolicy/kind.js';
import { kind as ServiceCIDRs } from './servicecidr/kind.js';

const backend = { service: { name: 'shop', port: { number: 80 } } };
const path = (fields: object): object => ({
  spec: {
    rules: [{ host: 'shop.example.com', http: { paths: [{ path: '/', pathType: 'Prefix', backend, ...fields }] } }],
  },
});
const at = 'spec.rules[0].http.paths[0]';

describe('an Ingress', () => {
  test.each<[string, object, string[]]>([
    [
      'without rules and default backend',
      { spec: {} },
      ['spec: Invalid value: null: either `defaultBackend` or `rules` must be specified'],
    ],
    [
      'of the old form, its unknown fields dropped',
      path({ pathType: undefined, backend: {} }),
      [`${at}.pathType: Required value: pathType must be specified`],
    ],
    [
      'with an unknown path type',
      path({ pathType: 'Regex' }),
      [`${at}.pathType: Unsupported value: "Regex": supported values: "Exact", "ImplementationSpecific", "Prefix"`],
    ],
    ['with a relative path', path({ path: 'x' }), [`${at}.path: Invalid value: "x": must be an absolute path`]],
    ['with dots in the path', path({ path: '/a/..' }), [`${at}.path: Invalid value: "/a/..": cannot end with '/..'`]],
    [
      'with an empty backend',
      path({ backend: {} }),
      [`${at}.backend: Invalid value: "": resource or service backend is required`],
    ],
    [
      'with both backends',
      path({ backend: { ...backend, resource: { kind: 'A', name: 'b' } } }),
      [`${at}.backend: Invalid value: "": cannot set both resource and service backends`],
    ],
    [
      'without a port',
      path({ backend: { service: { name: 'shop' } } }),
      [`${at}.backend: Required value: port name or number is required`],
    ],
    [
      'with two ports',
      path({ backend: { service: { name: 'shop', port: { name: 'http', number: 80 } } } }),
      [`${at}.backend: Invalid value: "": cannot set both port name & port number`],
    ],
    [
      'with an address for a host',
      { spec: { rules: [{ host: '10.0.0.1' }] } },
      ['spec.rules[0].host: Invalid value: "10.0.0.1": must be a DNS name, not an IP address'],
    ],
    [
      'whose class and annotation differ',
      {
        metadata: { annotations: { 'kubernetes.io/ingress.class': 'a' } },
        spec: { ingressClassName: 'b', defaultBackend: backend },
      },
      [
        'annotations.kubernetes.io/ingress.class: Invalid value: "a": must match `ingressClassName` when both are specified',
      ],
    ],
    ['that is good', path({}), []],
  ])('%s', (_, fields, errors) => expect(errorsOf(Ingresses, { ...fields })).toEqual(errors));

  test('prints its class, hosts, address and ports', () => {
    const rules = ['a.io', 'b.io', 'c.io', 'd.io', 'e.io'].map((host) => ({ host }));
    const ingress = make(Ingresses, {
      spec: { ingressClassName: 'nginx', rules, tls: [{}] },
      status: { loadBalancer: { ingress: [{ ip: '203.0.113.10' }, { ip: '203.0.113.9' }] } },
    });
    expect(row(Ingresses, ingress)).toEqual({
      Name: 'a',
      Class: 'nginx',
      Hosts: 'a.io,b.io,c.io + 2 more...',
      Address: '203.0.113.10,...',
      Ports: '80, 443',
      Age: AGE,
    });
    expect(row(Ingresses, make(Ingresses))).toEqual({
      Name: 'a',
      Class: '<none>',
      Hosts: '*',
      Address: '',
      Ports: '80',
      Age: AGE,
    });
  });
});

describe('an IngressClass', () => {
  test.each<[object, string[]]>([
    [{}, ['spec.controller: Required value']],
    [
      { controller: 'nginx' },
      ['spec.controller: Invalid value: "nginx": must be a domain-prefixed path (such as "acme.io/foo")'],
    ],
    [
      { controller: 'a.io/b', parameters: { kind: 'K', name: 'n', scope: 'Namespace' } },
      ["spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'"],
    ],
    [
      { controller: 'a.io/b', parameters: { kind: 'K', name: 'n', namespace: 'x' } },
      ["spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'"],
    ],
    [{ controller: 'k8s.io/ingress-nginx' }, []],
  ])('of %j', (spec, errors) => expect(errorsOf(IngressClasses, { spec })).toEqual(errors));

  test('cannot change its controller', () =>
    expect(
      updateErrors(IngressClasses, { spec: { controller: 'a.io/b' } }, { spec: { controller: 'a.io/c' } }),
    ).toEqual(['spec.controller: Invalid value: "a.io/c": field is immutable']));

  test('prints its parameters', () =>
    expect(
      row(
        IngressClasses,
        make(IngressClasses, {
          spec: { controller: 'a.io/b', parameters: { apiGroup: 'k.io', kind: 'Params', name: 'p' } },
        }),
      )['Parameters'],
    ).toBe('Params.k.io/p'));
});

describe('a NetworkPolicy', () => {
  test.each<[string, object, string[]]>([
    [
      'with an empty peer',
      { ingress: [{ from: [{}] }] },
      ['spec.ingress[0].from[0]: Required value: must specify a peer'],
    ],
    [
      'with a block and a selector',
      { egress: [{ to: [{ ipBlock: { cidr: '10.0.0.0/8' }, podSelector: {} }] }] },
      ['spec.egress[0].to[0]: Forbidden: may not specify both ipBlock and another peer'],
    ],
    [
      'with a bad block',
      { ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0' } }] }] },
      [
        'spec.ingress[0].from[0].ipBlock.cidr: Invalid value: "10.0.0.0": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
      ],
    ],
    [
      'with an exception outside of the block',
      {
        ingress: [
          { from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/16', '10.1.0.0/16', '10.0.0.0/8'] } }] },
        ],
      },
      [
        'spec.ingress[0].from[0].ipBlock.except[0]: Invalid value: "11.0.0.0/16": must be a strict subset of `cidr`',
        'spec.ingress[0].from[0].ipBlock.except[2]: Invalid value: "10.0.0.0/8": must be a strict subset of `cidr`',
      ],
    ],
    [
      'with an end before the port',
      { ingress: [{ ports: [{ port: 80, endPort: 79 }] }] },
      ['spec.ingress[0].ports[0].endPort: Invalid value: 80: must be greater than or equal to `port`'],
    ],
    [
      'with an end of a named port',
      { ingress: [{ ports: [{ port: 'web', endPort: 79 }] }] },
      ['spec.ingress[0].ports[0].endPort: Invalid value: 79: may not be specified when `port` is non-numeric'],
    ],
    [
      'of an unknown type',
      { policyTypes: ['Both'] },
      ['spec.policyTypes[0]: Unsupported value: "Both": supported values: "Ingress", "Egress"'],
    ],
    ['that denies everything', {}, []],
  ])('%s', (_, spec, errors) => expect(errorsOf(NetworkPolicies, { spec })).toEqual(errors));

  test('defaults its types and protocols', () => {
    const { spec } = create(NetworkPolicies, { spec: { egress: [{ ports: [{ port: 53 }] }] } });
    expect(spec).toEqual({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
      egress: [{ ports: [{ port: 53, protocol: 'TCP' }] }],
    });
  });

  test('prints its selector', () =>
    expect(
      row(NetworkPolicies, make(NetworkPolicies, { spec: { podSelector: { matchLabels: { app: 'db' } } } })),
    ).toEqual({ Name: 'a', 'Pod-Selector': 'app=db', Age: AGE }));
});

test.each<[string, string[]]>([
  [
    'nonsense',
    ['metadata.name: Invalid value: "nonsense": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
  ],
  ['2001:DB8::1', ['metadata.name: Invalid value: "2001:DB8::1": must be in canonical form ("2001:db8::1")']],
  ['10.96.0.1', []],
])('an IPAddress called %s', (name, errors) =>
  expect(
    errorsOf(IPAddresses, {
      metadata: { name },
      spec: { parentRef: { resource: 'services', name: 'kubernetes', namespace: 'default' } },
    }),
  ).toEqual(errors),
);

test('an IPAddress prints what it belongs to', () =>
  expect(
    row(
      IPAddresses,
      make(IPAddresses, { spec: { parentRef: { resource: 'services', name: 'kubernetes', namespace: 'default' } } }),
    )['ParentRef'],
  ).toBe('services/default/kubernetes'));

test.each<[string[], string[]]>([
  [[], ['spec.cidrs: Required value: at least one CIDR required']],
  [['10.0.0.1/8'], ['spec.cidrs[0]: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length']],
  [['10.0.0.0/8', 'fd00::/64'], []],
])('a ServiceCIDR of %j', (cidrs, errors) => expect(errorsOf(ServiceCIDRs, { spec: { cidrs } })).toEqual(errors));
