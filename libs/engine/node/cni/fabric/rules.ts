import type { Node } from '../../../api/core_v1.js';
import { prefixOf, type Rule } from '../../../kernel/netfilter/index.js';
import type { Reader } from '../../../machinery/client.js';
import type { OtherRules } from '../../proxy/index.js';
import { flannelNetwork } from '../agent-files.js';
import { IPPools, isCidr } from '../calico/objects.js';
import { ciliumRules } from './cilium.js';
import { networkOf } from './fabric.js';

const MULTICAST = '224.0.0.0/4';
const comment = (text: string): Rule['matches'] => [{ type: 'comment', text }];

/** What the agent of a node's network writes of its own; undefined: what kindnet writes. */
export function networkRules(read: Reader, node: Node): OtherRules | undefined {
  switch (networkOf(read, node.metadata.name ?? '').plugin) {
    case 'flannel':
      return flannelRules(flannelNetwork(read), node.spec.podCIDR ?? '');
    case 'calico':
      return calicoRules(read);
    case 'cilium-cni':
      return ciliumRules(read, node.metadata.name ?? '');
    default:
      return undefined;
  }
}

/** Models flannel's pkg/trafficmngr/iptables masqRules and forwardRules. */
function flannelRules(network: string, own: string): OtherRules {
  if (!isCidr(network) || !isCidr(own)) return {};
  const chain = 'FLANNEL-POSTRTG';
  const matches = comment('flanneld masq');
  const from = (text: string, isNot = false): Pick<Rule, 'source'> => ({ source: { prefix: prefixOf(text), isNot } });
  const to = (text: string, isNot = false): Pick<Rule, 'destination'> => ({
    destination: { prefix: prefixOf(text), isNot },
  });
  const forward = comment('flanneld forward');
  return {
    nat: {
      POSTROUTING: [{ matches, target: { type: 'jump', chain } }],
      [chain]: [
        { matches: [{ type: 'mark', value: 0x4000, mask: 0x4000 }, ...matches], target: { type: 'RETURN' } },
        { ...from(own), ...to(network), matches, target: { type: 'RETURN' } },
        { ...from(network), ...to(own), matches, target: { type: 'RETURN' } },
        { ...from(network, true), ...to(own), matches, target: { type: 'RETURN' } },
        { ...from(network), ...to(MULTICAST, true), matches, target: { type: 'MASQUERADE' } },
        { ...from(network, true), ...to(network), matches, target: { type: 'MASQUERADE' } },
      ],
    },
    filter: {
      FORWARD: [{ matches: forward, target: { type: 'jump', chain: 'FLANNEL-FWD' } }],
      'FLANNEL-FWD': [
        { ...from(network), matches: forward, target: { type: 'ACCEPT' } },
        { ...to(network), matches: forward, target: { type: 'ACCEPT' } },
      ],
    },
  };
}

/**
 * What leaves the pools that have natOutgoing for other addresses is masqueraded. Felix matches them by sets of the
 * kernel; here each pool has its rules. Models felix/rules/nat.go.
 */
function calicoRules(read: Reader): OtherRules {
  const pools = read.list(IPPools).flatMap(({ spec }) => (isCidr(spec?.cidr) ? [{ ...spec, cidr: spec.cidr }] : []));
  const chain = 'cali-nat-outgoing';
  const inside = pools.map(({ cidr }): Rule => ({
    ...{ destination: { prefix: prefixOf(cidr) }, matches: [], target: { type: 'RETURN' } },
  }));
  const outgoing = pools
    .filter(({ natOutgoing }) => natOutgoing === true)
    .map(({ cidr }): Rule => ({
      ...{ source: { prefix: prefixOf(cidr) }, matches: [], target: { type: 'MASQUERADE' } },
    }));
  const jump = (to: string): Rule => ({ matches: [], target: { type: 'jump', chain: to } });
  return {
    nat: {
      POSTROUTING: [jump('cali-POSTROUTING')],
      'cali-POSTROUTING': [jump(chain)],
      [chain]: [...inside, ...outgoing],
    },
  };
}
