import { prefixOf, type Rule } from '../../../kernel/netfilter/index.js';
import { POD_SUBNET_6 } from '../../dualstack/addresses.js';
import type { OtherRules } from '../../proxy/index.js';

const POD_SUBNET = '10.244.0.0/16';
const CHAIN = 'KIND-MASQ-AGENT';
const comment = (text: string): Rule['matches'] => [{ type: 'comment', text: `kind-masq-agent: ${text}` }];

/** What kindnet writes so that pods reach hosts outside. Models kindnetd's masq.go. */
export const kindnetRules = (clusterCIDR = POD_SUBNET): OtherRules => masqueradeRules(clusterCIDR);

/** The same of IPv6. */
export const kindnetRules6 = (clusterCIDR = POD_SUBNET_6): OtherRules => masqueradeRules(clusterCIDR);

const masqueradeRules = (clusterCIDR: string): OtherRules => ({
  nat: {
    POSTROUTING: [
      {
        matches: [
          { type: 'addrtype', side: 'dst', kind: 'LOCAL', isNot: true },
          ...comment(
            'ensure nat POSTROUTING directs all non-LOCAL destination traffic to our custom KIND-MASQ-AGENT chain',
          ),
        ],
        target: { type: 'jump', chain: CHAIN },
      },
    ],
    [CHAIN]: [
      {
        destination: { prefix: prefixOf(clusterCIDR) },
        matches: comment('local traffic is not subject to MASQUERADE'),
        target: { type: 'RETURN' },
      },
      {
        matches: comment('outbound traffic is subject to MASQUERADE (must be last in chain)'),
        target: { type: 'MASQUERADE' },
      },
    ],
  },
});
