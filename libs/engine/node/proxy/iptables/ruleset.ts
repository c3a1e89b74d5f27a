import {
  makeChain,
  tableOf,
  type Chain,
  type Packet,
  type Rule,
  type Ruleset,
  type Table,
} from '../../../kernel/netfilter/index.js';
import { chainsOf, type OtherRules, type Rules } from '../chains.js';
import { KUBELET_FILTER, KUBELET_FILTER_6, KUBELET_MANGLE, KUBELET_NAT } from '../kubelet-rules.js';
import { NODE_PORTS_LAST, PROXY_FILTER, PROXY_MANGLE, PROXY_NAT } from './fixed-rules.js';
import type { ProxyView } from '../view.js';
import { serviceRules, type ServiceRules } from './service-rules.js';
import type { ServiceTable } from '../service-table.js';

type Part = Exclude<keyof ServiceRules, 'chains'>;

/**
 * The tables of a node: nothing is made before it is printed or walked. A chain that all Services share has an index,
 * so that a walk meets the rules of one address and port only. Models pkg/proxy/iptables.
 */
export function iptablesRuleset(view: ProxyView, others: OtherRules = {}): Ruleset {
  const { services } = view;
  const proxied = (rules: Rules): Rules => (services ? rules : {});
  const shared = (name: string, part: Part, last: readonly Rule[] = []): Chain[] =>
    services ? [sharedChain(view, services, name, part, last)] : [];
  const mangle = tableOf('mangle', chainsOf(others.mangle, proxied(PROXY_MANGLE), KUBELET_MANGLE));
  const filter = tableOf('filter', [
    ...chainsOf(others.filter, proxied(PROXY_FILTER), view.isSixth ? KUBELET_FILTER_6 : KUBELET_FILTER),
    ...shared('KUBE-SERVICES', 'filterServices'),
    ...shared('KUBE-EXTERNAL-SERVICES', 'filterExternal'),
    ...shared('KUBE-NODEPORTS', 'filterNodePorts'),
    ...shared('KUBE-PROXY-FIREWALL', 'filterFirewall'),
  ]);
  const fixed = [
    ...chainsOf(proxied(PROXY_NAT), others.nat, KUBELET_NAT),
    ...shared('KUBE-SERVICES', 'natServices', [NODE_PORTS_LAST]),
    ...shared('KUBE-NODEPORTS', 'natNodePorts'),
  ];
  return { tables: [mangle, filter, services ? natTable(view, services, fixed) : tableOf('nat', fixed)] };
}

function sharedChain(view: ProxyView, services: ServiceTable, name: string, part: Part, last: readonly Rule[]): Chain {
  const rulesOf = (keys: readonly string[]): readonly Rule[] => [
    ...keys.flatMap((key) => rulesFor(view, services, key).flatMap((rules) => rules[part])),
    ...last,
  ];
  return {
    name,
    rules: () => rulesOf(services.keys()),
    select: ({ destination, destinationPort }: Packet) => rulesOf(services.keysAt(destination, destinationPort)),
  };
}

const rulesFor = ({ node, settings, at }: ProxyView, services: ServiceTable, key: string): readonly ServiceRules[] =>
  services.rules(serviceRules, key, node, settings, at);

/** The table with a chain for each port of a Service, and for each of its endpoints. */
function natTable(view: ProxyView, services: ServiceTable, fixed: readonly Chain[]): Table {
  const base = tableOf('nat', fixed);
  const ownChain = (name: string): Chain | undefined => {
    const key = services.ownerOf(name);
    if (key === undefined) return undefined;
    for (const { chains } of rulesFor(view, services, key)) {
      const rules = chains.get(name);
      if (rules) return makeChain(name, rules);
    }
    return undefined;
  };
  return {
    name: 'nat',
    chain: (name) => base.chain(name) ?? ownChain(name),
    chains: () => {
      const own = services
        .keys()
        .flatMap((key) => rulesFor(view, services, key).flatMap(({ chains }) => [...chains]))
        .map(([name, rules]) => makeChain(name, rules));
      return tableOf('nat', [...fixed, ...own]).chains();
    },
  };
}
