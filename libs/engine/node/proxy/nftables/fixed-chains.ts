import { prefixOf, type NftChain, type NftRule, type NftStatement } from '../../../kernel/netfilter/index.js';
import { MASQUERADE_MARK } from '../iptables/rules.js';

export const REJECT_CHAIN = 'reject-chain';
export const MARK_CHAIN = 'mark-for-masquerade';

export const jump = (chain: string): NftStatement => ({ type: 'verdict', verdict: { type: 'jump', chain } });
export const goTo = (chain: string): NftStatement => ({ type: 'verdict', verdict: { type: 'goto', chain } });
const end = (type: 'drop' | 'reject' | 'return'): NftStatement => ({ type: 'verdict', verdict: { type } });
const rule = (...statements: NftStatement[]): NftRule => ({ statements });

const NEW: NftStatement = { type: 'state', state: 'new' };
const TO_SERVICE = ['ip daddr', 'meta l4proto', 'th dport'] as const;
const TO_NODE_PORT: readonly NftStatement[] = [{ type: 'lookup', field: 'ip daddr', set: 'nodeport-ips' }];
const DNAT_PRIORITY = -100;
const SNAT_PRIORITY = 100;

type Base = NonNullable<NftChain['base']>;
const base = (
  name: string,
  type: Base['type'],
  hook: Base['hook'],
  priority: number,
  ...rules: NftRule[]
): NftChain => ({
  ...{ name, base: { type, hook, priority }, rules },
});

/** The chains that hang at hooks. Models nftablesBaseChains and nftablesJumpChains of pkg/proxy/nftables/proxier.go. */
export const BASE_CHAINS: readonly NftChain[] = [
  base('filter-prerouting-pre-dnat', 'filter', 'PREROUTING', DNAT_PRIORITY - 10, rule(NEW, jump('firewall-check'))),
  base('filter-output-pre-dnat', 'filter', 'OUTPUT', DNAT_PRIORITY - 10, rule(NEW, jump('firewall-check'))),
  base(
    ...(['filter-input', 'filter', 'INPUT', 0] as const),
    rule(NEW, jump('nodeport-endpoints-check')),
    rule(NEW, jump('service-endpoints-check')),
  ),
  base(
    ...(['filter-forward', 'filter', 'FORWARD', 0] as const),
    rule(NEW, jump('service-endpoints-check')),
    rule(NEW, jump('cluster-ips-check')),
  ),
  base(
    ...(['filter-output', 'filter', 'OUTPUT', 0] as const),
    rule(NEW, jump('service-endpoints-check')),
    rule(NEW, jump('cluster-ips-check')),
  ),
  base('nat-prerouting', 'nat', 'PREROUTING', DNAT_PRIORITY, rule(jump('services'))),
  base('nat-output', 'nat', 'OUTPUT', DNAT_PRIORITY, rule(jump('services'))),
  base('nat-postrouting', 'nat', 'POSTROUTING', SNAT_PRIORITY, rule(jump('masquerading'))),
];

/** The other chains that are always there. `serviceCIDRs`: what unallocated addresses are of. */
export function fixedChains(serviceCIDRs: readonly string[]): readonly NftChain[] {
  const dropped: NftRule = {
    statements: [
      { type: 'address', field: 'ip daddr', isSet: true, prefixes: serviceCIDRs.map(prefixOf) },
      end('drop'),
    ],
    comment: 'Drop traffic to unallocated ClusterIPs',
  };
  return [
    {
      name: 'nodeport-endpoints-check',
      rules: [rule(...TO_NODE_PORT, { type: 'vmap', fields: NODE_PORT, map: 'no-endpoint-nodeports' })],
    },
    {
      name: 'service-endpoints-check',
      rules: [rule({ type: 'vmap', fields: TO_SERVICE, map: 'no-endpoint-services' })],
    },
    { name: 'firewall-check', rules: [rule({ type: 'vmap', fields: TO_SERVICE, map: 'firewall-ips' })] },
    {
      name: 'services',
      rules: [
        rule({ type: 'vmap', fields: TO_SERVICE, map: 'service-ips' }),
        rule(...TO_NODE_PORT, { type: 'vmap', fields: NODE_PORT, map: 'service-nodeports' }),
      ],
    },
    {
      name: 'masquerading',
      rules: [
        rule({ type: 'unmarked', mask: MASQUERADE_MARK }, end('return')),
        rule({ type: 'mark', operation: '^', value: MASQUERADE_MARK }),
        rule({ type: 'masquerade' }),
      ],
    },
    {
      name: 'cluster-ips-check',
      rules: [
        {
          statements: [{ type: 'lookup', field: 'ip daddr', set: 'cluster-ips' }, end('reject')],
          comment: 'Reject traffic to invalid ports of ClusterIPs',
        },
        ...(serviceCIDRs.length > 0 ? [dropped] : []),
      ],
    },
    { name: MARK_CHAIN, rules: [rule({ type: 'mark', operation: '|', value: MASQUERADE_MARK })] },
    {
      name: REJECT_CHAIN,
      comment: 'helper for @no-endpoint-services / @no-endpoint-nodeports',
      rules: [rule(end('reject'))],
    },
  ];
}

const NODE_PORT = ['meta l4proto', 'th dport'] as const;
