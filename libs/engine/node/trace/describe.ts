import { printNftRule, printRule } from '../../kernel/netfilter/index.js';
import type { TraceHop } from '../../machinery/questions/trace.js';
import { joinHostPort } from '../../machinery/net/netip.js';
import type { Hop } from '../network/walk/hop.js';
import type { Decision } from '../policy/index.js';

/** A hop in the words of the tools that print what decided there: ip route, iptables-save. */
export const describeHop = (hop: Hop): TraceHop => ({ at: hop.at, type: typeOf(hop), text: textOf(hop) });

const typeOf = ({ type }: Hop): TraceHop['type'] =>
  type === 'nft' || type === 'virtual-server' || type === 'agent' ? 'rule' : type;

function textOf(hop: Hop): string {
  switch (hop.type) {
    case 'route':
      return hop.route;
    case 'rule':
      return `${hop.table}: ${hop.rule ? printRule(hop.chain, hop.rule) : `-P ${hop.chain} DROP`}`;
    case 'nft':
      return `table ip ${hop.table}: ${hop.chain}: ${printNftRule(hop.rule)}`;
    case 'virtual-server': {
      const { protocol, address, port, scheduler } = hop.server;
      return `ipvs: ${protocol.toUpperCase()} ${joinHostPort(address, port)} ${scheduler}`;
    }
    case 'agent':
      return hop.text;
    case 'translation':
      return `${hop.from} becomes ${hop.to}`;
    case 'policy':
      return describeDecision(hop.decision);
    case 'delivery':
      return hop.to;
    case 'loss':
      return hop.reason;
  }
}

/** 'NetworkPolicy shop/web, rule 0 of ingress, allows it to pod shop/web'. */
export function describeDecision({ direction, action, pod, kind, policies, rule }: Decision): string {
  const what = `${kind} ${policies.join(', ')}`;
  const way = direction === 'ingress' ? `to pod ${pod}` : `from pod ${pod}`;
  const [one, many] = action === 'allow' ? ['allows', 'allow'] : ['denies', 'deny'];
  const verb = policies.length > 1 ? many : one;
  return rule === undefined
    ? `${what}: no rule of ${direction} matches, which ${verb} it ${way}`
    : `${what}, rule ${rule} of ${direction}, ${verb} it ${way}`;
}
