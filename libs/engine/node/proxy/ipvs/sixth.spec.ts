import { expect, test } from '@jest/globals';
import { prefixOf, type AddressSet } from '../../../kernel/netfilter/index.js';
import { sixthRules, sixthSets } from './sixth.js';

const set = (name: string): AddressSet => ({ name, type: 'hash:ip', members: () => [] });

test('sets have names of their own, of 31 characters at most', () => {
  const names = ['KUBE-CLUSTER-IP', 'KUBE-LOAD-BALANCER-SOURCE-CIDR'];
  const renamed = sixthSets(new Map(names.map((name) => [name, set(name)])));
  expect([...renamed]).toEqual([
    ['KUBE-6-CLUSTER-IP', expect.objectContaining({ name: 'KUBE-6-CLUSTER-IP' })],
    ['KUBE-6-LOAD-BALANCER-SOURCE-CID', expect.objectContaining({ name: 'KUBE-6-LOAD-BALANCER-SOURCE-CID' })],
  ]);
});

test('rules match them, the other loopback, and reject by ICMPv6', () => {
  const source = { prefix: prefixOf('127.0.0.0/8') };
  const { nat } = sixthRules({
    nat: {
      A: [
        { rule: { source, matches: [], target: { type: 'RETURN' } } },
        {
          set: 'KUBE-IPVS-IPS',
          rule: {
            matches: [{ type: 'set', name: 'KUBE-IPVS-IPS', flags: ['dst'] }],
            target: { type: 'REJECT', with: 'icmp-port-unreachable' },
          },
        },
      ],
    },
    filter: {},
  });
  expect(nat['A']).toEqual([
    { rule: { source: { prefix: prefixOf('::1/128') }, matches: [], target: { type: 'RETURN' } } },
    {
      set: 'KUBE-6-IPVS-IPS',
      rule: {
        matches: [{ type: 'set', name: 'KUBE-6-IPVS-IPS', flags: ['dst'] }],
        target: { type: 'REJECT', with: 'icmp6-port-unreachable' },
      },
    },
  ]);
});
