import { expect, test } from '@jest/globals';
import type { Decision } from '../policy/index.js';
import { describeDecision, describeHop } from './describe.js';

const decision: Decision = {
  direction: 'ingress',
  action: 'allow',
  pod: 'shop/web',
  kind: 'NetworkPolicy',
  policies: ['shop/open'],
  rule: 1,
};

test.each<[Partial<Decision>, string]>([
  [{}, 'NetworkPolicy shop/open, rule 1 of ingress, allows it to pod shop/web'],
  [
    { direction: 'egress', action: 'deny', kind: 'AdminNetworkPolicy', policies: ['a'] },
    'AdminNetworkPolicy a, rule 1 of egress, denies it from pod shop/web',
  ],
  [
    { action: 'deny', policies: ['shop/a', 'shop/b'], rule: undefined },
    'NetworkPolicy shop/a, shop/b: no rule of ingress matches, which deny it to pod shop/web',
  ],
])('the decision %j', (more, expected) => {
  expect(describeDecision({ ...decision, ...more })).toBe(expected);
});

test.each([
  [{ type: 'rule', table: 'filter', chain: 'FORWARD', rule: undefined } as const, 'filter: -P FORWARD DROP'],
  [
    {
      type: 'rule',
      table: 'nat',
      chain: 'A',
      rule: { matches: [], target: { type: 'DNAT', to: '10.0.0.1:80' } },
    } as const,
    'nat: -A A -j DNAT --to-destination 10.0.0.1:80',
  ],
  [
    {
      type: 'nft',
      table: 'kube-proxy',
      chain: 'nat-output',
      rule: { statements: [{ type: 'verdict', verdict: { type: 'jump', chain: 'services' } }] },
    } as const,
    'table ip kube-proxy: nat-output: jump services',
  ],
  [
    {
      type: 'virtual-server',
      server: { protocol: 'tcp', address: '10.96.0.1', port: 443, scheduler: 'rr', servers: [] },
    } as const,
    'ipvs: TCP 10.96.0.1:443 rr',
  ],
  [
    { type: 'translation', from: '10.96.0.1:443', to: '172.18.0.2:6443' } as const,
    '10.96.0.1:443 becomes 172.18.0.2:6443',
  ],
  [{ type: 'loss', reason: 'no route' } as const, 'no route'],
])('a hop: %j', (hop, text) => {
  const type = ['nft', 'virtual-server'].includes(hop.type) ? 'rule' : hop.type;
  expect(describeHop({ at: 'node a', ...hop })).toEqual({ at: 'node a', type, text });
});
