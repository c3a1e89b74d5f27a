import { prefixOf, type Match, type Rule, type Target } from '../../../kernel/netfilter/index.js';
import type { ServicePortInfo } from '../service-port.js';

/** The bit that marks packets to be masqueraded: bit 14, as kubeadm leaves it. */
export const MASQUERADE_MARK = 0x4000;
export const MARK_MASQ = 'KUBE-MARK-MASQ';

type Protocol = ServicePortInfo['protocol'];

/** Parts of a rule, in the words of kube-proxy. */
interface Parts {
  readonly comment?: string;
  readonly protocol?: Protocol;
  readonly destination?: string;
  readonly source?: string;
  readonly isNotSource?: boolean;
  readonly dport?: number;
  /** Stand behind the comment, before the protocol's own. */
  readonly matches?: readonly Match[];
}

export const jumpTo = (chain: string): Target => ({ type: 'jump', chain });

/** A rule with its matches in the order in which kube-proxy gives them: the comment, others, the protocol's. */
export function ruleOf(target: Target | undefined, parts: Parts): Rule {
  const { comment, protocol, destination, source, dport, matches = [] } = parts;
  const ofProtocol: Match[] = protocol
    ? [{ type: protocol, ...(dport === undefined ? {} : { dport: [dport, dport] as const }) }]
    : [];
  return {
    ...(source === undefined ? {} : { source: { prefix: prefixOf(source), isNot: parts.isNotSource ?? false } }),
    ...(destination === undefined ? {} : { destination: { prefix: prefixOf(destination) } }),
    ...(protocol ? { protocol: { name: protocol } } : {}),
    matches: [
      ...(comment === undefined ? [] : [{ type: 'comment', text: comment } as const]),
      ...matches,
      ...ofProtocol,
    ],
    ...(target ? { target } : {}),
  };
}

export const LOCAL_DESTINATION: Match = { type: 'addrtype', side: 'dst', kind: 'LOCAL' };
export const LOCAL_SOURCE: Match = { type: 'addrtype', side: 'src', kind: 'LOCAL' };
