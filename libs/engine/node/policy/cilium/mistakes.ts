import { contains, parsePrefix } from '../../../machinery/net/netip.js';
import type { CiliumPolicyObject } from '../../cni/cilium/objects.js';
import { fieldsOf, listOf, textOf, textsOf, type Fields } from './fields.js';

const MAX_PORTS = 40;
/** Who may be named in one item: only one sort of them. */
const SOURCES: readonly string[] = [
  'FromEndpoints',
  'FromCIDR',
  'FromCIDRSet',
  'FromEntities',
  'FromNodes',
  'FromGroups',
];
const TARGETS: readonly string[] = [
  ...['ToCIDR', 'ToCIDRSet', 'ToEndpoints', 'ToEntities', 'ToServices', 'ToFQDNs', 'ToGroups', 'ToNodes'],
];

const small = (name: string): string => name.slice(0, 1).toLowerCase() + name.slice(1);

/** Why a policy is not valid, as its status says it; undefined: it is. Models pkg/policy/api/rule_validation.go. */
export function findMistake({ kind, spec, specs }: CiliumPolicyObject): string | undefined {
  if (!spec && !specs) return `${kind} must have either 'spec' or 'specs' set`;
  const own = spec && mistakeOfRule(spec);
  if (own !== undefined) return `Invalid ${kind} spec: ${own}`;
  for (const one of specs ?? []) {
    const found = mistakeOfRule(one);
    if (found !== undefined) return `Invalid ${kind} specs: ${found}`;
  }
  return undefined;
}

function mistakeOfRule(rule: Fields): string | undefined {
  const [pods, nodes] = [rule['endpointSelector'], rule['nodeSelector']].map((one) => one !== undefined);
  if (!pods && !nodes) return 'rule must have one of EndpointSelector or NodeSelector';
  if (pods && nodes) return 'rule cannot have both EndpointSelector and NodeSelector';
  for (const [name, members] of [
    ['ingress', SOURCES],
    ['egress', TARGETS],
  ] as const)
    for (const item of [...listOf(rule[name]), ...listOf(rule[`${name}Deny`])]) {
      const found = mistakeOfItem(fieldsOf(item), members);
      if (found !== undefined) return found;
    }
  return undefined;
}

function mistakeOfItem(item: Fields, members: readonly string[]): string | undefined {
  const named = members.filter((name) => listOf(item[small(name)]).length > 0);
  if (named.length > 1) return `combining ${named[0]} and ${named[1]} is not supported yet`;
  const to = members === SOURCES ? 'from' : 'to';
  for (const cidr of textsOf(item[`${to}CIDR`]))
    if (cidr === '' || !isNetwork(cidr)) return `unable to parse CIDR: invalid CIDR address: ${cidr}`;
  for (const one of listOf(item[`${to}CIDRSet`])) {
    const found = mistakeOfNetwork(fieldsOf(one));
    if (found !== undefined) return found;
  }
  for (const one of listOf(item['toPorts'])) {
    const found = mistakeOfPorts(fieldsOf(one));
    if (found !== undefined) return found;
  }
  return undefined;
}

const isNetwork = (text: string): boolean => parsePrefix(text) !== undefined || parsePrefix(`${text}/32`) !== undefined;

function mistakeOfNetwork(rule: Fields): string | undefined {
  const cidr = textOf(rule['cidr']);
  const given = [cidr !== '', textOf(rule['cidrGroupRef']) !== '', rule['cidrGroupSelector'] !== undefined];
  const count = given.filter(Boolean).length;
  if (count === 0) return 'one of cidr, cidrGroupRef, or cidrGroupSelector must be provided';
  if (count > 1) return 'more than one of cidr, cidrGroupRef, or cidrGroupSelector may not be set';
  if (cidr === '') return undefined;
  const prefix = parsePrefix(cidr);
  if (!prefix || !cidr.includes('/')) return `unable to parse CIDRRule "${cidr}": netip.ParsePrefix("${cidr}"): no '/'`;
  for (const text of textsOf(rule['except'])) {
    const except = parsePrefix(text);
    if (!except) return `unable to parse CIDRRule "${text}": netip.ParsePrefix("${text}"): no '/'`;
    if (!contains(prefix, except.address))
      return `allow CIDR prefix ${cidr} does not contain exclude CIDR prefix ${text}`;
  }
  return undefined;
}

function mistakeOfPorts(one: Fields): string | undefined {
  const ports = listOf(one['ports']).map(fieldsOf);
  if (ports.length > MAX_PORTS) return `too many ports, the max is ${MAX_PORTS}`;
  const rules = fieldsOf(one['rules']);
  const hasRules = ['http', 'kafka', 'l7'].some((name) => listOf(rules[name]).length > 0);
  for (const { port, protocol } of ports) {
    const text = textOf(port);
    if (text === '') return 'Port must be specified';
    if (/^\d/.test(text) && Number(text) > 65_535)
      return `Unable to parse port: strconv.ParseUint: parsing "${text}": value out of range`;
    if (hasRules && text === '0') return 'L7 rules can not be used when a port is 0';
    const name = textOf(protocol) || 'ANY';
    if (hasRules && name !== 'TCP') return `L7 rules can only apply to TCP (not ${name}) except for DNS rules`;
  }
  return undefined;
}
