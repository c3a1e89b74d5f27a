import { describe, expect, test } from '@jest/globals';
import { AGE, create, errorsOf, make, row } from '../../testing.js';
import { kind as NetworkPolicies } from './kind.js';

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
