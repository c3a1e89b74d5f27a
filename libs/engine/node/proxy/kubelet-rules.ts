import { prefixOf, type Rule } from '../../kernel/netfilter/index.js';
import type { Rules } from './chains.js';
import { jumpTo } from './iptables/rules.js';

const KUBELET_FIREWALL: Rule = { matches: [], target: jumpTo('KUBE-FIREWALL') };

/** What the kubelet writes. Models pkg/kubelet/kubelet_network_linux.go. */
export const KUBELET_FILTER: Rules = {
  INPUT: [KUBELET_FIREWALL],
  OUTPUT: [KUBELET_FIREWALL],
  'KUBE-FIREWALL': [
    {
      source: { prefix: prefixOf('127.0.0.0/8'), isNot: true },
      destination: { prefix: prefixOf('127.0.0.0/8') },
      matches: [
        { type: 'comment', text: 'block incoming localnet connections' },
        { type: 'conntrack', states: ['RELATED', 'ESTABLISHED', 'DNAT'], isNot: true },
      ],
      target: { type: 'DROP' },
    },
  ],
  'KUBE-KUBELET-CANARY': [],
};
export const KUBELET_NAT: Rules = { 'KUBE-KUBELET-CANARY': [] };
export const KUBELET_MANGLE: Rules = { 'KUBE-IPTABLES-HINT': [], 'KUBE-KUBELET-CANARY': [] };

/** Of IPv6 there are no packets to localnet to keep out. */
export const KUBELET_FILTER_6: Rules = { 'KUBE-KUBELET-CANARY': [] };
