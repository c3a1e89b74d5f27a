import type { ConnectionState, Match, Rule, Target } from '../../../kernel/netfilter/index.js';
import { jumpTo, LOCAL_DESTINATION, MARK_MASQ, MASQUERADE_MARK, ruleOf } from './rules.js';

const comment = (text: string): Match => ({ type: 'comment', text });
const states = (...names: ConnectionState[]): Match => ({ type: 'conntrack', states: names });
const NEW = states('NEW');
const MARKED: Match = { type: 'mark', value: MASQUERADE_MARK, mask: MASQUERADE_MARK };

const rule = (target: Target, ...matches: Match[]): Rule => ({ matches, target });
const PORTALS = rule(jumpTo('KUBE-SERVICES'), comment('kubernetes service portals'));
const NEW_PORTALS = rule(jumpTo('KUBE-SERVICES'), NEW, comment('kubernetes service portals'));
const EXTERNAL = rule(jumpTo('KUBE-EXTERNAL-SERVICES'), NEW, comment('kubernetes externally-visible service portals'));
const FIREWALL = rule(jumpTo('KUBE-PROXY-FIREWALL'), NEW, comment('kubernetes load balancer firewall'));

type Rules = Readonly<Record<string, readonly Rule[]>>;

/** kube-proxy's jumps, each put before those that it wrote earlier. Models iptablesJumpChains of proxier.go. */
export const PROXY_FILTER: Rules = {
  INPUT: [FIREWALL, rule(jumpTo('KUBE-NODEPORTS'), comment('kubernetes health check service ports')), EXTERNAL],
  FORWARD: [FIREWALL, rule(jumpTo('KUBE-FORWARD'), comment('kubernetes forwarding rules')), NEW_PORTALS, EXTERNAL],
  OUTPUT: [FIREWALL, NEW_PORTALS],
  'KUBE-FORWARD': [
    rule({ type: 'DROP' }, states('INVALID')),
    rule({ type: 'ACCEPT' }, comment('kubernetes forwarding rules'), MARKED),
    rule({ type: 'ACCEPT' }, comment('kubernetes forwarding conntrack rule'), states('RELATED', 'ESTABLISHED')),
  ],
  'KUBE-PROXY-CANARY': [],
};
export const PROXY_NAT: Rules = {
  PREROUTING: [PORTALS],
  OUTPUT: [PORTALS],
  POSTROUTING: [rule(jumpTo('KUBE-POSTROUTING'), comment('kubernetes postrouting rules'))],
  'KUBE-POSTROUTING': [
    rule({ type: 'RETURN' }, { type: 'mark', value: MASQUERADE_MARK, mask: MASQUERADE_MARK, isNot: true }),
    rule({ type: 'MARK', value: MASQUERADE_MARK, mask: 0 }),
    rule({ type: 'MASQUERADE', isRandom: true }, comment('kubernetes service traffic requiring SNAT')),
  ],
  [MARK_MASQ]: [rule({ type: 'MARK', value: MASQUERADE_MARK, mask: MASQUERADE_MARK })],
  'KUBE-PROXY-CANARY': [],
};
export const PROXY_MANGLE: Rules = { 'KUBE-PROXY-CANARY': [] };

/** Ends KUBE-SERVICES. */
export const NODE_PORTS_LAST = ruleOf(jumpTo('KUBE-NODEPORTS'), {
  comment: 'kubernetes service nodeports; NOTE: this must be the last rule in this chain',
  matches: [LOCAL_DESTINATION],
});
