import { prefixOf, type AddressSet, type Rule } from '../../../kernel/netfilter/index.js';
import type { SetRule } from './rules.js';

type Tables<T> = Readonly<Record<'nat' | 'filter', Readonly<Record<string, T>>>>;

/** A set's name is at most so long. */
const MAX_NAME = 31;

/** Sets of both families are in one place: those of IPv6 begin with KUBE-6-. Models pkg/proxy/ipvs/ipset.go. */
const sixthName = (name: string): string => `KUBE-6-${name.slice('KUBE-'.length)}`.slice(0, MAX_NAME);

export const sixthSets = (sets: ReadonlyMap<string, AddressSet>): ReadonlyMap<string, AddressSet> =>
  new Map([...sets.values()].map((set) => [sixthName(set.name), { ...set, name: sixthName(set.name) }]));

/** The same rules as of IPv4, with this family's sets, loopback and messages. */
export function sixthRules(tables: Tables<SetRule[]>): Tables<SetRule[]> {
  const of = (chains: Readonly<Record<string, SetRule[]>>): Record<string, SetRule[]> =>
    Object.fromEntries(Object.entries(chains).map(([name, rules]) => [name, rules.map(sixthOf)]));
  return { nat: of(tables.nat), filter: of(tables.filter) };
}

const sixthOf = ({ set, rule }: SetRule): SetRule => ({
  ...(set === undefined ? {} : { set: sixthName(set) }),
  rule: sixthRule(rule),
});

function sixthRule(rule: Rule): Rule {
  const { source, target } = rule;
  return {
    ...rule,
    ...(source?.prefix.text === '127.0.0.0/8' ? { source: { prefix: prefixOf('::1/128') } } : {}),
    matches: rule.matches.map((match) => (match.type === 'set' ? { ...match, name: sixthName(match.name) } : match)),
    ...(target?.type === 'REJECT' ? { target: { ...target, with: 'icmp6-port-unreachable' } } : {}),
  };
}
