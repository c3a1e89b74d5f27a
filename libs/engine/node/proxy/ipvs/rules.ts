import { prefixOf, type AddressSet, type Match, type Rule, type Target } from '../../../kernel/netfilter/index.js';
import { jumpTo, LOCAL_DESTINATION, LOCAL_SOURCE, MARK_MASQ, MASQUERADE_MARK } from '../iptables/rules.js';
import type { ProxySettings } from '../settings.js';
import { COMMENTS, IPVS_IPS } from './sets.js';

type Flags = Extract<Match, { type: 'set' }>['flags'];
type Table = 'nat' | 'filter';

/** A rule of a set is written while the set has members. */
interface SetRule {
  readonly set?: string;
  readonly rule: Rule;
}

const comment = (text: string): Match => ({ type: 'comment', text });
const inSet = (name: string, ...flags: Flags): Match => ({ type: 'set', name, flags });
const commented = (name: string): Match => comment(COMMENTS.get(name) ?? '');
const plain = (target: Target, ...matches: Match[]): SetRule => ({ rule: { matches, target } });
/** As kube-proxy writes rules of a set: with its comment. */
const ofSet = (name: string, flags: Flags, target: Target, more: Partial<Rule> = {}): SetRule => ({
  set: name,
  rule: { ...more, matches: [commented(name), inSet(name, ...flags), ...(more.matches ?? [])], target },
});

const RETURN: Target = { type: 'RETURN' };
const ACCEPT: Target = { type: 'ACCEPT' };
const MASQ = jumpTo(MARK_MASQ);
const BOTH: Flags = ['dst', 'dst'];
const WITH_SOURCE: Flags = ['dst', 'dst', 'src'];
const protocol = (name: 'tcp' | 'udp' | 'sctp'): Partial<Rule> => ({ protocol: { name } });
const jumps = (chain: string, text: string): SetRule => plain(jumpTo(chain), comment(text));

/** Models writeIptablesRules and iptablesJumpChain of pkg/proxy/ipvs/proxier.go. */
export function fixedRules(settings: ProxySettings): Readonly<Record<Table, Readonly<Record<string, SetRule[]>>>> {
  return {
    nat: {
      PREROUTING: [jumps('KUBE-SERVICES', 'kubernetes service portals')],
      OUTPUT: [jumps('KUBE-SERVICES', 'kubernetes service portals')],
      POSTROUTING: [jumps('KUBE-POSTROUTING', 'kubernetes postrouting rules')],
      'KUBE-SERVICES': services(settings),
      'KUBE-LOAD-BALANCER': [ofSet('KUBE-LOAD-BALANCER-LOCAL', BOTH, RETURN), plain(MASQ)],
      'KUBE-NODE-PORT': nodePorts(),
      'KUBE-POSTROUTING': [
        ofSet('KUBE-LOOP-BACK', WITH_SOURCE, { type: 'MASQUERADE' }),
        plain(RETURN, { type: 'mark', value: MASQUERADE_MARK, mask: MASQUERADE_MARK, isNot: true }),
        plain({ type: 'MARK', value: MASQUERADE_MARK, mask: 0 }),
        plain({ type: 'MASQUERADE', isRandom: true }, comment('kubernetes service traffic requiring SNAT')),
      ],
      [MARK_MASQ]: [plain({ type: 'MARK', value: MASQUERADE_MARK, mask: MASQUERADE_MARK })],
    },
    filter: {
      INPUT: [
        jumps('KUBE-IPVS-FILTER', 'kubernetes ipvs access filter'),
        jumps('KUBE-PROXY-FIREWALL', 'kube-proxy firewall rules'),
        jumps('KUBE-NODE-PORT', 'kubernetes health check rules'),
      ],
      FORWARD: [
        jumps('KUBE-PROXY-FIREWALL', 'kube-proxy firewall rules'),
        jumps('KUBE-FORWARD', 'kubernetes forwarding rules'),
      ],
      OUTPUT: [jumps('KUBE-IPVS-OUT-FILTER', 'kubernetes ipvs access filter')],
      'KUBE-FORWARD': [
        plain(ACCEPT, comment('kubernetes forwarding rules'), {
          type: 'mark',
          value: MASQUERADE_MARK,
          mask: MASQUERADE_MARK,
        }),
        plain(ACCEPT, comment('kubernetes forwarding conntrack rule'), {
          type: 'conntrack',
          states: ['RELATED', 'ESTABLISHED'],
        }),
      ],
      'KUBE-NODE-PORT': [
        plain(ACCEPT, commented('KUBE-HEALTH-CHECK-NODE-PORT'), inSet('KUBE-HEALTH-CHECK-NODE-PORT', 'dst')),
      ],
      'KUBE-PROXY-FIREWALL': [ofSet('KUBE-LOAD-BALANCER-FW', BOTH, jumpTo('KUBE-SOURCE-RANGES-FIREWALL'))],
      'KUBE-SOURCE-RANGES-FIREWALL': [
        ofSet('KUBE-LOAD-BALANCER-SOURCE-CIDR', WITH_SOURCE, RETURN),
        ofSet('KUBE-LOAD-BALANCER-SOURCE-IP', WITH_SOURCE, RETURN),
        plain({ type: 'DROP' }),
      ],
      'KUBE-IPVS-FILTER': [
        ...['KUBE-LOAD-BALANCER', 'KUBE-CLUSTER-IP', 'KUBE-EXTERNAL-IP', 'KUBE-EXTERNAL-IP-LOCAL'].map((name) =>
          plain(RETURN, inSet(name, ...BOTH)),
        ),
        plain(RETURN, inSet('KUBE-HEALTH-CHECK-NODE-PORT', 'dst')),
        plain(
          { type: 'REJECT', with: 'icmp-port-unreachable' },
          { type: 'conntrack', states: ['NEW'] },
          inSet(IPVS_IPS, 'dst'),
        ),
      ],
    },
  };
}

function services(settings: ProxySettings): SetRule[] {
  return [
    { rule: { source: { prefix: prefixOf('127.0.0.0/8') }, matches: [], target: RETURN } },
    ofSet('KUBE-LOAD-BALANCER', BOTH, jumpTo('KUBE-LOAD-BALANCER')),
    masquerade(settings),
    ofSet('KUBE-EXTERNAL-IP', BOTH, MASQ),
    ...externalRules('KUBE-EXTERNAL-IP'),
    ...externalRules('KUBE-EXTERNAL-IP-LOCAL'),
    plain(jumpTo('KUBE-NODE-PORT'), LOCAL_DESTINATION),
    ...['KUBE-CLUSTER-IP', 'KUBE-LOAD-BALANCER'].map((name) => ({ ...plain(ACCEPT, inSet(name, ...BOTH)), set: name })),
  ];
}

/** What does not come from a pod must find its way back from a cluster IP. */
function masquerade({ masqueradeAll, clusterCIDR }: ProxySettings): SetRule {
  if (masqueradeAll) return ofSet('KUBE-CLUSTER-IP', BOTH, MASQ);
  if (clusterCIDR === undefined) return ofSet('KUBE-CLUSTER-IP', ['src', 'dst'], MASQ);
  return ofSet('KUBE-CLUSTER-IP', BOTH, MASQ, { source: { prefix: prefixOf(clusterCIDR), isNot: true } });
}

const externalRules = (name: string): SetRule[] => [
  ofSet(name, BOTH, ACCEPT, {
    matches: [{ type: 'physdev', side: 'is-in', isNot: true }, { ...LOCAL_SOURCE, isNot: true } as Match],
  }),
  ofSet(name, BOTH, ACCEPT, { matches: [LOCAL_DESTINATION] }),
];

const nodePorts = (): SetRule[] =>
  (['tcp', 'udp', 'sctp'] as const).flatMap((name) => {
    const [ending, flags] = name === 'sctp' ? ['SCTP-HASH', BOTH] : [name.toUpperCase(), ['dst'] as const];
    return [
      ofSet(`KUBE-NODE-PORT-LOCAL-${ending}`, flags, RETURN, protocol(name)),
      ofSet(`KUBE-NODE-PORT-${ending}`, flags, MASQ, protocol(name)),
    ];
  });

/** The rules of a chain as they are printed: those of empty sets are not there. */
export const writtenRules = (rules: readonly SetRule[], sets: ReadonlyMap<string, AddressSet>): Rule[] =>
  rules.flatMap(({ set, rule }) => (set === undefined || (sets.get(set)?.members().length ?? 0) > 0 ? [rule] : []));

export type { SetRule };
